import {CliFailure} from '../core/errors.js'
import type {Dialect} from '../derive/mirror/column-types.js'
import {type Query, queries} from '../derive/mirror/queries.js'
import {readAllText} from '../formats/read/read-text.js'
import {didYouMean} from '../values/suggest.js'
import {type QueryOptions, toQueryColumns, type UseResult} from './query.js'

/** First words of statements that give rows of tables and change nothing by themselves. */
const reading: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ['SELECT', 'WITH', 'VALUES', 'EXPLAIN'],
  postgres: ['SELECT', 'WITH', 'VALUES', 'TABLE', 'EXPLAIN', 'SHOW'],
}

/** Checks that a text begins as a query does, for an early answer: the database itself decides. Throws `invalid`. */
export function checkQuery(sql: string, dialect: Dialect): void {
  const at = skipBlank(sql, dialect)
  const [word = ''] = /^[\p{L}\p{N}_$]*/u.exec(sql.slice(at)) ?? []
  if (at === sql.length) throw notOne('The query is empty.')
  if (sql.includes('\0')) throw notOne('The query contains a NUL, at which databases end their statements.')
  if (word === '' || reading[dialect].includes(word.toUpperCase())) return // without a word the database refuses it
  throw notReading(`Only queries are run, and this is ${/^[A-Z]/i.test(word) ? word.toUpperCase() : `"${word}"`}.`, [
    howQueriesBegin(dialect),
  ])
}

/** Refuses a statement that PostgreSQL describes as one without rows: COPY, DO, LOAD, COMMIT and the like. */
export function givesNoRows(): CliFailure {
  return notReading('Only queries are run, and this statement gives no rows.', [howQueriesBegin('postgres')])
}

function howQueriesBegin(dialect: Dialect): string {
  return `A query begins with ${reading[dialect].join(', ')}.`
}

/** Whether a text has nothing but blanks, comments and semicolons. */
export function isBlank(sql: string, dialect: Dialect): boolean {
  return skipBlank(sql, dialect) === sql.length
}

/** Refuses a text that is more or less than one query. */
export function notOne(message: string, hints: string[] = [], cause?: unknown): CliFailure {
  return new CliFailure(message, {code: 'QUERY_COUNT', hints, cause})
}

export function hasParameter(cause?: unknown): CliFailure {
  return new CliFailure('The query has a parameter, and there is no value for it.', {
    code: 'QUERY_COUNT',
    hints: ['Write the value into the query.'],
    cause,
  })
}

export function notReading(message: string, hints: string[] = [], cause?: unknown): CliFailure {
  return new CliFailure(message, {code: 'QUERY_WRITES', hints, cause})
}

/** The place of the first sign that is no blank, comment, semicolon or opening bracket. */
function skipBlank(sql: string, dialect: Dialect): number {
  let at = 0
  for (;;) {
    const start = at
    while (/[\s;(\ufeff]/.test(sql[at] ?? '')) at++
    if (sql.startsWith('--', at)) at = skipLine(sql, at, dialect)
    else if (sql.startsWith('/*', at)) at = skipComment(sql, at, dialect)
    if (at === start) return at
  }
}

/** The end of the line from a place on; for PostgreSQL, a carriage return ends it as well. */
function skipLine(sql: string, from: number, dialect: Dialect): number {
  const end = sql.slice(from).search(dialect === 'sqlite' ? /\n/ : /[\n\r]/)
  return end === -1 ? sql.length : from + end
}

/** The end of the comment that begins at a place; those of PostgreSQL can be nested. */
function skipComment(sql: string, from: number, dialect: Dialect): number {
  if (dialect === 'sqlite') return endOf(sql, '*/', from + 2)
  let depth = 0
  for (const {0: mark, index} of sql.slice(from).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return from + index + mark.length
  }
  return sql.length
}

function endOf(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from)
  return found === -1 ? sql.length : found + mark.length
}

/** The shipped queries, as rows: an `Engine` that needs neither query nor database. */
export async function listQueries<Used>(_: string, __: QueryOptions, use: UseResult<Used>): Promise<Used> {
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
export function findQuery(text: string): Query {
  const found = queries.find(({name}) => name === text)
  if (found) return found
  const names = queries.map(({name}) => name)
  throw new CliFailure(`No query is called ${text}.`, {
    code: 'USAGE',
    hints: [...didYouMean(text, names), 'See all of them with: vendorctl sql --list'],
  })
}

/** The text of a query that is named, or given on the command line, in a file or on standard input. */
export async function readQuery(text: string | undefined): Promise<string> {
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
