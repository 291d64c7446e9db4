import {keepMemoryFlat} from '../../core/flat-memory.js'
import {refuseSamePaths} from '../../formats/files/file-steps.js'
import {isNested} from '../../formats/outputs/format-table.js'
import {type Engine, findEngine, type QueryResult} from '../../mirror/query.js'
import {findQuery, listQueries, readQuery} from '../../mirror/query-text.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {describeNone, formatOf} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import {presentWritten, writeRecords} from '../read/present-records.js'
import {withTarget} from '../read/text-target.js'
import {whileBlocked} from '../terminal/signals.js'
import {findNamedDatabase, findUsualCommand} from './find-database.js'
import type {SqlFlags} from './sync-flags.js'

const resource = 'row'
const table = {name: 'result', key: []}

/** Runs a query on the database of `--db` and prints its rows as they come. */
export async function runQuery(query: string | undefined, flags: SqlFlags, context: CommandContext): Promise<void> {
  if (flags.list === true) {
    if (query === undefined) return printRows('', listQueries, flags, context)
    const {sql} = findQuery(query)
    return context.present({data: sql, text: `${sql}\n`})
  }
  const {environment} = context
  const sql = await readQuery(query)
  const address = await findNamedDatabase(flags.db, environment, () => findUsualCommand(flags, environment))
  if (address.kind === 'sqlite') await refuseSamePaths({'--db': address.path, '--output-file': flags['output-file']})
  await printRows(sql, await findEngine(address, whileBlocked), flags, context)
}

async function printRows(sql: string, run: Engine, flags: SqlFlags, context: CommandContext): Promise<void> {
  const {caution, envelope, messages, signal, clock} = context
  await withTarget(flags, context, async (target) => {
    const format = formatOf(flags, target.path)
    const isJson = isNested(format) || (envelope !== undefined && target.path === undefined)
    const milliseconds = flags.timeout === undefined ? undefined : flags.timeout * 1_000
    const options = {isNested: isJson, signal, milliseconds, clock}
    const written = await run(sql, options, async (result) => {
      for (const name of result.renamed) caution(`a column has no name of its own and is shown as ${name}`)
      const sink = await openSink(flags, target, result.columns, {resource, envelope, table, isSettled: true})
      return writeRecords(flatly(result.pages), sink)
    })
    await target.commit()
    if (target.path !== undefined) messages.note(`${target.path}: ${counted(written.rows, 'row')}`)
    const none = describeNone(flags, target.path, {resource, isNarrowed: true})
    await presentWritten(written, context, {flags, target, none})
  })
}

/** Keeps the memory flat where more than one row comes. */
async function* flatly(pages: QueryResult['pages']): QueryResult['pages'] {
  let isFirst = true
  for await (const page of pages) {
    if (isFirst && page.length > 1) keepMemoryFlat()
    isFirst = false
    yield page
  }
}
