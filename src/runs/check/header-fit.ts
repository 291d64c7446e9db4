import {
  changedResource,
  type Field,
  isWriteId,
  operationIds,
  useOf,
  type Write,
  writeIds,
  writeOperation,
} from '../../contract/index.js'
import {flagText} from '../../core/command-line.js'
import {readRows} from '../../formats/read/read-rows.js'
import type {HeaderFit} from '../../formats/read/row.js'
import {toPlainName} from '../../validate/field-names.js'
import {findMeant, matchHeader} from '../../validate/match-header.js'
import type {Problem} from '../../validate/problem.js'
import type {CheckOptions} from './row-rules.js'
import {createSentNames, type SentNames} from './sent-names.js'
import {readSetFields} from './set-fields.js'

/** The fit of a row as the header of a write, by the problems that it would have as one. */
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

type Header = {write: Write; names: SentNames; cells: readonly string[]; problems: readonly Problem[]}

/** The problems of a header, with the flags that would end them: a column is mapped, or names its record. */
export function withRemedies({write, names, cells, problems}: Header): Problem[] {
  const used = new Set(cells.map((cell) => names.find(cell)?.name))
  const meant = new Map<string, string>()
  for (const {code, columnName = ''} of problems) {
    const field = code === 'UNKNOWN_COLUMN' ? findMeant(columnName, names) : undefined
    if (field !== undefined && !used.has(field)) meant.set(columnName, field)
    used.add(field)
  }
  const known = new Set([...cells, ...meant.values()].map(toPlainName))
  const find = (resource: string) => namesOf(resource).filter((name) => known.has(toPlainName(name)))
  return problems.map((problem) => {
    const {code, columnName = ''} = problem
    const field = meant.get(columnName)
    if (code === 'UNKNOWN_COLUMN' && field !== undefined)
      return {...problem, remedy: flagText('map', `${columnName}=${field}`)}
    const remedy = code === 'MISSING_COLUMN' ? describeNaming(columnName, find, {write, names}) : undefined
    return remedy === undefined ? problem : {...problem, remedy}
  })
}

/** Advice on the columns that could name the records of a missing column. */
function describeNaming(
  column: string,
  find: (resource: string) => readonly string[],
  {write, names}: Pick<Header, 'write' | 'names'>,
): string | undefined {
  if (column === write.target && write.body !== 'create') {
    const match = find(changedResource(write))
    return match.length === 0 ? undefined : flagText('match', match.join(','))
  }
  const field: Field | undefined = names.places.find(({name}) => name === column)?.field
  const of = field?.refersTo === undefined ? undefined : find(field.refersTo).at(-1)
  return of === undefined ? undefined : flagText('lookup', `${column}=${of}`)
}

/** Fields by which people tell new records of a resource apart. */
function namesOf(resource: string): readonly string[] {
  if (resource === 'machine') return ['prose']
  if (resource === 'account') return ['name']
  const writes = operationIds.filter(isWriteId).map(writeOperation)
  return writes.find((write) => write.body === 'create' && write.resource === resource)?.identity ?? []
}

/** Degrees of fit, the best first. */
const headerFits = ['all', 'most', 'some'] as const

/** The writes that the header of a file fits best; none for a file without a header. */
export async function findFitting(file: string, commands: readonly string[]): Promise<string[]> {
  const writes = writeIds.map(writeOperation).filter(({command}) => commands.includes(command))
  const fitOf = (cells: readonly string[], write: Write) =>
    createHeaderFit(write, {merges: write.merge === 'full-replace'})(cells)
  const best = (cells: readonly string[]) =>
    headerFits.find((fit) => writes.some((write) => fitOf(cells, write) === fit)) ?? 'none'
  const {header, rows} = await readRows(file, {fitOf: best})
  await rows.return?.(undefined)
  const cells = header?.cells ?? []
  const found = best(cells)
  if (found === 'none') return []
  const named = writes.flatMap((write) => (fitOf(cells, write) === found ? write.command : []))
  const both = named.map((command) => command.replace(/ create$/, ' apply'))
  return commands.filter((command) => named.includes(command) || both.includes(command))
}
