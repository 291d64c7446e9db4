import {useOf, type Write} from '../../contract/index.js'
import type {HeaderFit} from '../../formats/read/row.js'
import {matchHeader} from '../../validate/match-header.js'
import type {CheckOptions} from './check-options.js'
import {createSentNames} from './sent-names.js'
import {readSetFields} from './set-fields.js'

/** How well a row would do as the header of a write, by the problems that it would have as one. */
export function createHeaderFit(operation: Write, {map, merges = false, rules, set = [], names: asked}: CheckOptions) {
  const use = useOf(operation)
  return (cells: readonly string[]): HeaderFit => {
    const all = createSentNames(operation, merges, rules?.extra, asked)
    const {names} = readSetFields(set, all, {columns: [], width: 0, use, empty: 'omit'})
    const options = {file: '', line: 1, use, map, unknownColumns: 'error'} as const
    const {problems} = matchHeader(cells, names, options)
    const count = (...codes: string[]) => problems.filter(({code}) => codes.includes(code)).length
    const named = cells.filter((cell) => cell.trim() !== '' && !cell.trim().startsWith('_')).length
    const known = named - count('UNKNOWN_COLUMN', 'DANGEROUS_COLUMN')
    if (known === 0) return 'none'
    if (count('MISSING_COLUMN', 'UNUSED_MAPPING') > 0) return known * 2 > named ? 'some' : 'none'
    return known === named ? 'all' : 'most'
  }
}
