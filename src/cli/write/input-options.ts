import type {DialectName} from '../../formats/names.js'
import type {ReadOptions} from '../../formats/read/read-rows.js'
import type {InputFormat} from '../../formats/read/row.js'
import {toDelimiter} from '../../formats/write/dialect.js'
import type {CheckOptions} from '../../runs/check/row-checker.js'
import type {UnknownColumns} from '../../validate/match-header.js'
import type {EmptyCells} from '../../validate/read-cell.js'
import {readColumnMap} from './column-map.js'

/** The values of `inputFlags`. */
export type InputFlagValues = {
  'input-format'?: InputFormat | undefined
  delimiter?: string | undefined
  encoding?: string | undefined
  'csv-dialect'?: DialectName | undefined
  /** One text when it comes from the environment. */
  map?: string | string[] | undefined
  'map-file'?: string | undefined
  empty?: EmptyCells | undefined
  'unknown-columns'?: UnknownColumns | undefined
  'allow-damage'?: string | string[] | undefined
}

/** How to read and check a file, from the flags. Throws a `CliFailure`: usage for the flags, invalid for the map file. */
export async function toInputOptions(flags: InputFlagValues): Promise<ReadOptions & CheckOptions> {
  const {delimiter} = flags
  return {
    format: flags['input-format'],
    delimiter: delimiter === undefined ? undefined : toDelimiter(delimiter),
    encoding: flags.encoding,
    dialect: flags['csv-dialect'],
    map: await readColumnMap(flags.map, flags['map-file']),
    empty: flags.empty,
    unknownColumns: flags['unknown-columns'],
    allowDamage: [flags['allow-damage'] ?? []].flat(),
  }
}
