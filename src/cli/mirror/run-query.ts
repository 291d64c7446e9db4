import {type Clock, systemClock} from '../../core/clock.js'
import {readAllText} from '../../formats/read/read-text.js'
import type {QueryOptions, QueryResult, UseResult} from '../../mirror/query.js'
import {counted} from '../../values/counted.js'
import type {DatabaseAddress} from '../../values/database-address.js'
import type {CommandContext} from '../app/command-context.js'
import {stopSignal, whileBlocked} from '../app/signals.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {describeNone, formatOf} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import type {RecordSink} from '../read/record-sink.js'
import {withTarget} from '../read/text-target.js'
import {refuseSamePaths} from '../write/run-files.js'
import {findNamedDatabase, findUsualCommand} from './find-database.js'
import type {SqlFlags} from './sql-flags.js'

const resource = 'row'
const table = {name: 'result', key: []}

/** Runs a query on the database of `--db` and prints its rows as they come. */
export async function runQuery(query: string, flags: SqlFlags, context: CommandContext): Promise<void> {
  const {caution, envelope, environment, messages} = context
  const sql = await readQuery(query)
  const address = await findNamedDatabase(flags.db, environment, () => findUsualCommand(flags, environment))
  if (address.kind === 'sqlite')
    await refuseSamePaths([
      ['--db', address.path],
      ['--output-file', flags['output-file']],
    ])
  await withTarget(flags, context, async (target) => {
    const format = formatOf(flags, target.path)
    const isNested = format === 'json' || format === 'ndjson' || (envelope !== undefined && target.path === undefined)
    const milliseconds = flags.timeout === undefined ? undefined : flags.timeout * 1_000
    const options = {isNested, signal: stopSignal, milliseconds, clock: systemClock}
    const run = await findQuery(address)
    const {sink, isCut} = await run(sql, options, async (result) => {
      for (const name of result.renamed) caution(`a column has no name of its own and is shown as ${name}`)
      const opened = await openSink(flags, target, result.columns, {resource, envelope, table, isSettled: true})
      const cut = await writePages(result, opened, flags.limit)
      await opened.end()
      return {sink: opened, isCut: cut}
    })
    await target.commit()
    for (const note of sink.notes) messages.note(note)
    const none = describeNone(flags, target.path, {resource, isNarrowed: true})
    if (none !== undefined && sink.rows === 0 && !isCut && !context.isJson) messages.note(none)
    if (isCut) caution(`showing ${counted(sink.rows, 'row')}; --limit cut the rest off`)
    if (target.path !== undefined) messages.note(`${target.path}: ${counted(sink.rows, 'row')}`)
    await context.present({
      data: sink.data === null ? {file: target.path ?? null, rows: sink.rows} : sink.data,
      exit: sink.rows === 0 && !isCut && flags['fail-on-empty'] === true ? 'empty' : 'ok',
      meta: {truncated: isCut},
    })
  })
}

type Query = <Used>(sql: string, options: QueryOptions & {clock: Clock}, use: UseResult<Used>) => Promise<Used>

async function findQuery(address: DatabaseAddress): Promise<Query> {
  if (address.kind === 'postgres') {
    const {queryPostgres} = await import('../../mirror/query-postgres.js')
    return (sql, options, use) => queryPostgres(address, sql, options, use)
  }
  const {querySqlite} = await import('../../mirror/query-sqlite.js')
  return (sql, options, use) => querySqlite(address.path, sql, {...options, blocking: whileBlocked}, use)
}

/** The text of a query that stands on the command line, in a file or on standard input. */
async function readQuery(text: string): Promise<string> {
  if (text === '-') return readAllText('-')
  return text.startsWith('@') ? readAllText(text.slice(1)) : text
}

/** Whether the limit kept back a row. */
async function writePages({pages}: QueryResult, sink: RecordSink, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
  let count = 0
  for await (const page of pages) {
    stopSignal.throwIfAborted()
    if (count === 0 && page.length > 1) keepMemoryFlat()
    const room = limit - sink.rows
    if (page.length > 0) await sink.page(page.slice(0, room))
    if (page.length > room) return true
    count++
  }
  return false
}
