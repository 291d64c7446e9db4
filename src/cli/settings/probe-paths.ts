import {isRouteMissing} from '../../client/failures.js'
import type {Client, Settings} from '../../client/types.js'
import {isPathUnconfirmed, type ReadId, readIds, readOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {Answer} from './doctor-checks.js'

/** Where another client is had, which asks for an operation at another path. */
export type Elsewhere = (id: ReadId, path: string) => Promise<Client>

type Asked = {client: Client; settings: Settings; profile: string; elsewhere: Elsewhere}

type Missing = {id: ReadId; path: string; found?: string}

/** Reads that services have at several paths, or whose path the documentation does not confirm. */
const uncertain = readIds.filter((id) => isPathUnconfirmed(readOperation(id)) || readOperation(id).alsoAt !== undefined)

/** Asks for one record at each path that may differ, one request for each; another path is asked only after 404. */
export async function checkPaths({client, settings, profile, elsewhere}: Asked): Promise<Answer> {
  const missing: Missing[] = []
  for (const id of uncertain) {
    const path = settings.routes[id] ?? readOperation(id).path
    if (await hasRoute(client, id)) continue
    const found = await findElsewhere(id, path, elsewhere)
    missing.push({id, path, ...(found !== undefined && {found})})
  }

  const moved = missing.filter(({found}) => found !== undefined)
  const lost = missing.filter(({found}) => found === undefined)
  const text = [...moved.map(describeMoved), describeRest(uncertain.length - missing.length, lost)].join('; ')
  if (missing.length === 0) return {text}
  const routes = {...settings.routes, ...Object.fromEntries(missing.map(({id, found = '/PATH'}) => [id, found]))}
  const pairs = Object.entries(routes).map(([id, path]) => `${id}=${path}`)
  const set = commandLine('profiles set', [profile, `routes=${pairs.join()}`])
  if (moved.length === 0) return {text, fix: `If they are at other paths: ${set}`}
  const known = pairs.filter((pair) => !pair.endsWith('=/PATH'))
  return {ok: false, text, exit: 'refused', fix: commandLine('profiles set', [profile, `routes=${known.join()}`])}
}

async function findElsewhere(id: ReadId, path: string, elsewhere: Elsewhere): Promise<string | undefined> {
  const {path: first, alsoAt = []} = readOperation(id)
  for (const other of [first, ...alsoAt].filter((one) => one !== path)) {
    const client = await elsewhere(id, other)
    if (await hasRoute(client, id).finally(() => client.close())) return other
  }

  return undefined
}

/** A refusal other than 404 comes from a route that exists. Throws what says nothing about it. */
async function hasRoute(client: Client, id: ReadId): Promise<boolean> {
  try {
    for await (const _ of client.readPages(id, {filters: {}, pageSize: 1, limit: 1, skipFilterCheck: true})) break
    return true
  } catch (error) {
    if (isRouteMissing(error)) return false
    if (error instanceof CliFailure && (error.exit === 'denied' || error.exit === 'refused')) return true
    throw error
  }
}

function describeMoved({id, path, found}: Missing): string {
  return `"${readOperation(id).command}" is at ${found}, not at ${path}`
}

function describeRest(answering: number, lost: readonly Missing[]): string {
  const text = `${answering} of ${counted(uncertain.length, 'path')} answer`
  if (lost.length === 0) return text
  return `${text}; not found: ${lost.map(({id, path}) => `${path} (${readOperation(id).command})`).join(', ')}`
}
