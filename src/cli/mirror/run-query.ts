import {type Clock, systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {type Query, queries} from '../../derive/mirror/queries.js'
import {isNested} from '../../formats/outputs/format-table.js'
import {readAllText} from '../../formats/read/read-text.js'
import {type QueryOptions, type QueryResult, toQueryColumns, type UseResult} from '../../mirror/query.js'
import {counted} from '../../values/counted.js'
import type {DatabaseAddress} from '../../values/database-address.js'
import {suggest} from '../../values/suggest.js'
import type {CommandContext} from '../app/command-context.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {describeNone, formatOf} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import {presentWritten, writeRecords} from '../read/present-records.js'
import {withTarget} from '../read/text-target.js'
import {stopSignal, whileBlocked} from '../terminal/signals.js'
import {refuseSamePaths} from '../write/run-files.js'
import {findNamedDatabase, findUsualCommand} from './find-database.js'
import type {SqlFlags} from './sql-flags.js'

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
  if (address.kind === 'sqlite')
    await refuseSamePaths([
      ['--db', address.path],
      ['--output-file', flags['output-file']],
    ])
  await printRows(sql, await findEngine(address), flags, context)
}

async function printRows(sql: string, run: Engine, flags: SqlFlags, context: CommandContext): Promise<void> {
  const {caution, envelope, messages} = context
  await withTarget(flags, context, async (target) => {
    const format = formatOf(flags, target.path)
    const isJson = isNested(format) || (envelope !== undefined && target.path === undefined)
    const milliseconds = flags.timeout === undefined ? undefined : flags.timeout * 1_000
    const options = {isNested: isJson, signal: stopSignal(), milliseconds, clock: systemClock}
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

type Engine = <Used>(sql: string, options: QueryOptions & {clock: Clock}, use: UseResult<Used>) => Promise<Used>

async function findEngine(address: DatabaseAddress): Promise<Engine> {
  if (address.kind === 'postgres') {
    const {queryPostgres} = await import('../../mirror/query-postgres.js')
    return (sql, options, use) => queryPostgres(address, sql, options, use)
  }
  const {querySqlite} = await import('../../mirror/query-sqlite.js')
  return (sql, options, use) => querySqlite(address.path, sql, {...options, blocking: whileBlocked}, use)
}

/** Shows the queries that are shipped as if a database had them. */
async function listQueries<Used>(_: string, __: QueryOptions, use: UseResult<Used>): Promise<Used> {
  const columns = toQueryColumns([
    {name: 'query', kind: 'text'},
    {name: 'about', kind: 'text'},
  ])
  async function* pages() {
    yield queries.map(({name, about}) => ({query: name, about}))
  }
  return use({...columns, pages: pages()})
}

/** Words with hyphens between them: no query begins like that. */
const nameShape = /^[a-z]+(?:-[a-z]+)+$/

/** Throws `usage`. */
function findQuery(text: string): Query {
  const found = queries.find(({name}) => name === text)
  if (found) return found
  const near = suggest(
    text,
    queries.map(({name}) => name),
  )
  throw new CliFailure(`No query is called ${text}.`, {
    code: 'USAGE',
    hints: [...(near === undefined ? [] : [`Did you mean ${near}?`]), 'See all of them with: vendorctl sql --list'],
  })
}

/** The text of a query that is named, or stands on the command line, in a file or on standard input. */
async function readQuery(text: string | undefined): Promise<string> {
  if (text === undefined)
    throw new CliFailure('No query is given.', {
      code: 'USAGE',
      hints: [
        "Write it behind sql: vendorctl sql 'select 1'",
        'Or name one of those that are shipped: vendorctl sql --list',
      ],
    })
  if (nameShape.test(text)) return findQuery(text).sql
  if (text === '-') return readAllText('-')
  return text.startsWith('@') ? readAllText(text.slice(1)) : text
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
