import {CliFailure} from '../core/errors.js'
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
      return toAnswer(row?.['answer'] ?? 'null', shown)
    },
    async close() {
      const opened = session
      session = undefined
      await (await opened)?.close()
    },
  }
}

const isCount = (value: unknown) => Number.isFinite(value)
const isList = (value: unknown, isOne: (one: unknown) => boolean) => Array.isArray(value) && value.every(isOne)
const isPair = (value: unknown) => isList(value, isCount) && (value as unknown[]).length === 2
const counts = ['serverTime', 'retry', 'keptOfDay', 'machines', 'share', 'shareOfDay', 'slowFor'] as const

function toAnswer(text: string, shown: string): BudgetAnswer {
  const answer = parse(text)
  if (isAnswer(answer)) return answer
  throw new CliFailure(
    `The database ${shown}: vendorctl.budget_ask gave no budget; it is another function of that name.`,
    {
      code: 'FOREIGN_DATABASE',
      hints: ['Name another database: vendorctl profiles set NAME budget=postgres://USER@HOST/DATABASE'],
    },
  )
}

function isAnswer(answer: Partial<BudgetAnswer> | null): answer is BudgetAnswer {
  const {store, waits, others, refusedFor, refusedIs = null} = answer ?? {}
  if (answer?.isStale === true) return true
  return (
    typeof store === 'string' &&
    counts.every((name) => isCount(answer?.[name])) &&
    isList(waits, isCount) &&
    isList(others, isPair) &&
    (refusedFor === null || isCount(refusedFor)) &&
    [null, 'assumed', 'learned'].includes(refusedIs)
  )
}

function parse(text: string): Partial<BudgetAnswer> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
