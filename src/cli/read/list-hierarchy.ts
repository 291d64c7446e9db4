import type {Client} from '../../client/types.js'
import {filterKeysOf, filterOf, readOperation} from '../../contract/index.js'
import {
  createHierarchy,
  type Hierarchy,
  hierarchyColumns,
  type Level,
  levels,
  readOf,
  toRow,
  toTreeRow,
  treeColumns,
} from '../../reports/read/hierarchy.js'
import {createRepeatWatch} from '../../reports/read/known-ids.js'
import {toMissing, watchIds} from '../../reports/read/missing-ids.js'
import type {Paging} from '../../reports/read/read-list.js'
import {thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {toFilterValues} from './filter-values.js'
import {toDrift} from './finish-read.js'
import {formatOf, isOnTerminal} from './format-of.js'
import {type ReadFlags, toPaging} from './read-flags.js'
import {type PageOfRows, readToOutput} from './read-to-output.js'

export type HierarchyFlags = ReadFlags & {readonly depth: Level}

/** Shows organizations, accounts, sites and machines below each other, by one read of each. */
export async function listHierarchy(flags: HierarchyFlags, context: CommandContext): Promise<void> {
  const hierarchy = createHierarchy(flags.depth, narrowedTo(flags))
  const reads = levels.map((level) => toRead(level, flags, context.clock.now()))
  const shape = shapeOf(flags, context.isJson)
  const mustKnow = flags['fail-on-missing'] === true

  await readToOutput(
    {
      ...{flags, resource: 'organization', columns: shape === 'tree' ? treeColumns : hierarchyColumns},
      isNarrowed: reads.some(({filters}) => Object.keys(filters).length > 0),
      table: {name: 'hierarchy', key: ['level', 'id']},
      start: ({client}) =>
        toRows(client, {reads, paging: toPaging({...flags, limit: undefined})}, hierarchy, () =>
          rowsOf(hierarchy, shape, flags),
        ),
      async finish({client}, {isComplete}) {
        const found = await Promise.all(reads.map(({ids}) => ids.find(client, {sawAll: isComplete, others: 'none'})))
        const missing = found.flat()
        if (!mustKnow) for (const text of missing) context.caution(text)
        const repeated = reads.reduce((sum, {repeats}) => sum + repeats.repeated, 0)
        return {range: undefined, incomplete: [...toDrift(repeated), ...(mustKnow ? missing.map(toMissing) : [])]}
      },
    },
    context,
  )
}

function toRead(level: Level, flags: HierarchyFlags, now: number) {
  const id = readOf(level)
  const filters = toFilterValues(id, flags, now)
  return {level, id, filters, ids: watchIds(id, filters), repeats: createRepeatWatch()}
}

/** The lowest level that a filter names. */
function narrowedTo(flags: HierarchyFlags): Level {
  const named = levels.filter((level) => {
    const read = readOperation(readOf(level))
    return filterKeysOf(read).some((key) => filterOf(key).names === level && flags[filterOf(key).flag] !== undefined)
  })
  return named.at(-1) ?? 'organization'
}

type Shape = 'tree' | 'nested' | 'rows'

/** A tree for people and nested JSON; each line by itself in other formats, and where some of them are selected. */
function shapeOf(flags: HierarchyFlags, isJson: boolean): Shape {
  const {'output-file': file, where, sort, limit, columns} = flags
  if ([where, sort, limit, columns].some((one) => one !== undefined)) return 'rows'
  const path = file === '-' ? undefined : file
  const format = isJson && path === undefined ? 'json' : formatOf(flags, path)
  if (format === 'json') return 'nested'
  return format === 'table' ? 'tree' : 'rows'
}

function* rowsOf(hierarchy: Hierarchy, shape: Shape, {'output-file': file}: HierarchyFlags) {
  if (shape === 'nested') return yield* hierarchy.nested()
  const hasBranches = isOnTerminal(file === '-' ? undefined : file)
  for (const line of hierarchy.lines()) yield shape === 'tree' ? toTreeRow(line, hasBranches) : toRow(line)
}

/** Reads all levels page by page, and yields the rows with the last page. */
async function* toRows(
  client: Pick<Client, 'readPages'>,
  {reads, paging}: {reads: readonly ReturnType<typeof toRead>[]; paging: Paging},
  hierarchy: Hierarchy,
  rows: () => NonNullable<PageOfRows['records']>,
): AsyncGenerator<PageOfRows, void, void> {
  let last: PageOfRows | undefined
  for (const {level, id, filters, ids, repeats} of reads) {
    let count = 0
    for await (const {records, number, totalPages} of client.readPages(id, {filters, ...paging})) {
      if (last) yield last
      for (const record of repeats.fresh(records)) {
        ids.look(record)
        hierarchy.add(level, record)
        count++
      }
      const where = `Reading ${level}s · page ${number} of ${totalPages}`
      const sum = thousands(count)
      last = {records: [], more: true, progress: () => `${where} · ${sum}`}
    }
  }
  yield {progress: () => '', ...last, records: rows(), more: false}
}
