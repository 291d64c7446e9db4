import type {WriteId} from '../../contract/index.js'
import type {ReadOptions} from '../../formats/read/read-rows.js'
import {toDelimiter} from '../../formats/write/dialect.js'
import {readColumnMap, readValueMaps} from '../../runs/check/column-map.js'
import {readFieldRules} from '../../runs/check/field-changes.js'
import {toNames} from '../../runs/check/name-lookup.js'
import type {CheckOptions} from '../../runs/check/row-rules.js'
import type {FlagValues} from '../app/flags.js'
import type {inputFlags} from './input-flags.js'

type InputFlags = FlagValues<typeof inputFlags> & {
  match?: string[] | undefined
  change?: string[] | undefined
  round?: string | undefined
  verbose?: boolean | undefined
}

/** Options for reading and checking a file. Throws a `CliFailure`: usage for the flags, invalid for the map file. */
export async function toInputOptions(operation: WriteId, flags: InputFlags): Promise<ReadOptions & CheckOptions> {
  const {delimiter} = flags
  return {
    format: flags['input-format'],
    delimiter: delimiter === undefined ? undefined : toDelimiter(delimiter),
    saysDelimiter: flags.verbose === true && delimiter === undefined,
    encoding: flags.encoding,
    sheet: flags.sheet,
    headerRow: flags['header-row'],
    dialect: flags['csv-dialect'],
    map: await readColumnMap(flags.map, flags['map-file']),
    mapValues: await readValueMaps(flags['map-values']),
    set: [flags.set ?? []].flat(),
    changes: readFieldRules(operation, flags.change, flags.round),
    locale: flags.locale,
    empty: flags.empty,
    unknownColumns: flags['unknown-columns'],
    names: toNames(operation, flags),
    allowDamage: [flags['allow-damage'] ?? []].flat(),
  }
}
