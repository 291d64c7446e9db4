import type {LocaleName} from '../../validate/locales.js'
import type {UnknownColumns} from '../../validate/match-header.js'
import type {EmptyCells} from '../../validate/read-cell.js'
import type {FieldRule} from '../rows/field-rules.js'
import type {Names} from './names.js'
import type {ValueMap} from './read-value-map.js'
import type {RowRules} from './row-rules.js'

/** How the rows of a file are checked and typed. */
export type CheckOptions = {
  map?: Readonly<Record<string, string>> | undefined
  unknownColumns?: UnknownColumns | undefined
  empty?: EmptyCells | undefined
  /** What a row does not say is taken from the current record. */
  merges?: boolean | undefined
  rules?: RowRules | undefined
  /** Columns whose damage by a spreadsheet was confirmed by eye. */
  allowDamage?: readonly string[] | undefined
  /** `FIELD=VALUE`, for every row. */
  set?: readonly string[] | undefined
  /** How fields of the current records are changed, in every row. */
  changes?: readonly FieldRule[] | undefined
  names?: Names | undefined
  /** Values that are replaced before they are typed. */
  mapValues?: readonly ValueMap[] | undefined
  /** How the cells of a table spell numbers, times and booleans. */
  locale?: LocaleName | undefined
  /** Whether the records of good rows are kept; true unless given. */
  keepsRows?: boolean | undefined
}
