import {CliFailure} from '../core/errors.js'
import {type Query, queries} from '../derive/mirror/queries.js'
import {readAllText} from '../formats/read/read-text.js'
import {didYouMean} from '../values/suggest.js'
import {type QueryOptions, toQueryColumns, type UseResult} from './query.js'

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
