import {isPathUnconfirmed, type ReadId, readIds, readOperation} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {isRouteMissing} from './failures.js'
import type {Client, Settings} from './types.js'

/** Reads that services have at several paths, or whose path the documentation does not confirm. */
export const uncertainReads = readIds.filter(
  (id) => isPathUnconfirmed(readOperation(id)) || readOperation(id).alsoAt !== undefined,
)

/** A read that the service does not have at its path, and where else it has it. */
export type MissingRoute = {id: ReadId; path: string; found: string | undefined}

/** Opens another client, which asks for an operation at another path. */
export type Elsewhere = (id: ReadId, path: string) => Promise<Client>

/** Asks for one record at each path that may differ, one request for each; another path is asked only after 404. */
export async function findMissingRoutes(
  client: Client,
  {routes}: Pick<Settings, 'routes'>,
  elsewhere: Elsewhere,
): Promise<MissingRoute[]> {
  const missing: MissingRoute[] = []
  for (const id of uncertainReads) {
    const path = routes[id] ?? readOperation(id).path
    if (!(await hasRoute(client, id))) missing.push({id, path, found: await findElsewhere(id, path, elsewhere)})
  }
  return missing
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
