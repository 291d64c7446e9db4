import {CliFailure} from './errors.js'
import type {Postgres} from './postgres.js'

const whoAnswers = 'SELECT pg_backend_pid() AS pid'

/** Throws `usage` where the address is that of a pooler in transaction mode: locks need a session of their own. */
export async function refusePooler(one: Postgres, openOther: () => Promise<Postgres>, shown: string): Promise<void> {
  if (one.isDirect || !(await isPooled(one, openOther))) return
  throw new CliFailure(`The database ${shown}: a pooler in transaction mode stands before it, which loses locks.`, {
    code: 'DATABASE_POOLED',
    hints: ['Name the server itself, or a pool in session mode (pool_mode = session).'],
  })
}

/**
 * Whether sessions share the processes of the server: one session holds a process with a transaction, and the other one
 * is answered by that process before, or by another one now.
 */
async function isPooled(one: Postgres, openOther: () => Promise<Postgres>): Promise<boolean> {
  const before = await one.get(whoAnswers)
  const other = await openOther()
  try {
    return await other.transaction(async () => {
      const second = await other.get(whoAnswers)
      if (second?.['pid'] === before?.['pid']) return true
      const now = await one.get(whoAnswers)
      return now?.['pid'] !== before?.['pid']
    })
  } finally {
    await other.close()
  }
}
