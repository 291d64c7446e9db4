/** Requests answered, by operation id and status; `none` is a request that got no complete answer. */
export type RequestCounts = Record<string, Record<string, number>>

export type RequestCounter = {
  count(operation: string, status: number | 'none'): void
  read(): RequestCounts
  reset(): void
}

export function createRequestCounter(): RequestCounter {
  const counts = new Map<string, Map<string, number>>()
  return {
    count(operation, status) {
      const statuses = counts.get(operation) ?? new Map<string, number>()
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
      counts.set(operation, statuses)
    },
    read: () => Object.fromEntries([...counts].map(([id, statuses]) => [id, Object.fromEntries(statuses)])),
    reset: () => counts.clear(),
  }
}
