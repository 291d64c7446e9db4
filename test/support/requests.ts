import type {Sandbox} from '../../src/sandbox/server.js'

/** Requests that the sandbox counted, all statuses together, by operation. */
export function requestsOf(sandbox: Pick<Sandbox, 'requests'>): Record<string, number> {
  const sum = (statuses: Record<string, number>) => Object.values(statuses).reduce((one, other) => one + other, 0)
  return Object.fromEntries(Object.entries(sandbox.requests()).map(([id, statuses]) => [id, sum(statuses)]))
}
