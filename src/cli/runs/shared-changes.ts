import {countedField} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {Postgres} from '../../core/postgres.js'
import {changedIds, quietMilliseconds} from '../../runs/differences/quiet-time.js'
import type {Batch} from '../../runs/rows/phases.js'
import {serviceOf} from '../../values/service.js'
import type {Environment} from '../app/environment.js'
import {findBudgetStore} from '../client/budget-store.js'
import type {Resolved} from '../settings/settings.js'

/** A statement of ours takes milliseconds; a store that stands still must not keep a write for long. */
const limits = {name: 'vendorctl changes', statementMilliseconds: 2_500}

type Changed = Pick<Batch, 'operation' | 'rows'>

/** What machines that share a budget changed a moment ago. */
export type SharedChanges = {
  /** Milliseconds since the last change of these records; 0 where that cannot be known. */
  ago(plan: Changed): Promise<number>
  /** Tells the others, before these records are changed and after it. */
  tell(plan: Changed): Promise<void>
}

const lastChange = `SELECT extract(epoch FROM vendorctl.clock() - max(at)) * 1000 AS ago FROM vendorctl.changed
  WHERE service = $1 AND record IN (SELECT jsonb_array_elements_text($2::jsonb))`

const dropOld = `DELETE FROM vendorctl.changed WHERE at < vendorctl.clock() - interval '1 day'`
const addChanges = `INSERT INTO vendorctl.changed SELECT $1, record, vendorctl.clock()
  FROM (SELECT DISTINCT jsonb_array_elements_text($2::jsonb) AS record ORDER BY 1) AS records
  ON CONFLICT (service, record) DO UPDATE SET at = excluded.at`

/** Without a shared budget nothing is told and nothing known. */
export function createSharedChanges(resolved: Resolved, environment: Environment): SharedChanges {
  const {baseUrl} = resolved.values
  const use = async <Result>({operation, rows}: Changed, unknown: Result, work: Work<Result>): Promise<Result> => {
    const field = countedField(operation)
    const store = field === undefined ? undefined : await findBudgetStore(resolved, environment)
    const records = store ? changedIds({operation, rows}).map((id) => `${field} ${id}`) : []
    if (!store || records.length === 0) return unknown
    const session = await store.open(limits)
    return work(session, [serviceOf(baseUrl.value ?? ''), JSON.stringify(records)]).finally(session.close)
  }
  return {
    ago: (plan) =>
      use(plan, quietMilliseconds, async (session, values) => {
        const {ago = null} = (await session.get(lastChange, ...values)) ?? {}
        return ago === null ? quietMilliseconds : Number(ago)
      }).catch((error) => ignored(error, 0)),
    tell: (plan) =>
      use(plan, undefined, async (session, values) => {
        await session.run(dropOld)
        await session.run(addChanges, ...values)
      }).catch((error) => ignored(error, undefined)),
  }
}

type Work<Result> = (session: Postgres, values: [string, string]) => Promise<Result>

/** The client reports a store that cannot be reached. */
function ignored<Result>(error: unknown, instead: Result): Result {
  if (error instanceof CliFailure) return instead
  throw error
}
