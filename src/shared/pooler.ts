import type {Postgres} from '../core/postgres.js'

const whoAnswers = 'SELECT pg_backend_pid() AS pid'

/**
 * Whether sessions share the processes of the server, as behind a pooler in transaction mode: one session holds a
 * process with a transaction, and the other one is answered by that process before, or by another one now.
 */
export async function isPooled(one: Postgres, openOther: () => Promise<Postgres>): Promise<boolean> {
  const before = await one.get(whoAnswers)
  const other = await openOther()
  try {
    return await other.transaction(async () => {
      const held = await other.get(whoAnswers)
      if (held?.['pid'] === before?.['pid']) return true
      const now = await one.get(whoAnswers)
      return now?.['pid'] !== before?.['pid']
    })
  } finally {
    await other.close()
  }
}
