import type {OpenPostgresOptions, Postgres} from '../core/postgres.js'
import type {BudgetAnswer} from './budget.js'
import type {BudgetStore} from './budget-asker.js'

/** An ask takes a moment; without an answer, the machine has to do without one soon. */
const patience = {connectMilliseconds: 1_800, statementMilliseconds: 1_800}
const sql = 'SELECT vendorctl.budget_ask($1, $2::jsonb) AS answer'

export type PostgresBudgetOptions = {
  /** The address as people are shown it. */
  shown: string
  open(options: OpenPostgresOptions): Promise<Postgres>
  /** Keys and services never share a budget. */
  key: string
  host: string
}

/** The budget of one key in PostgreSQL. The session is opened by the first ask, and again after it was lost. */
export function createPostgresBudget({shown, open, key, host}: PostgresBudgetOptions): BudgetStore {
  let session: Promise<Postgres> | undefined
  const connect = async () => {
    if (session && (await session).lost.aborted) session = undefined
    session ??= open({name: 'vendorctl budget', ...patience})
    try {
      return await session
    } catch (error) {
      session = undefined
      throw error
    }
  }

  return {
    address: shown,
    async ask(asking) {
      const postgres = await connect()
      const row = await postgres.get(sql, key, JSON.stringify({...asking, host}))
      return JSON.parse(String(row?.['answer'])) as BudgetAnswer
    },
    async close() {
      const opened = session
      session = undefined
      await (await opened)?.close()
    },
  }
}
