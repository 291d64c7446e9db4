import type {Client} from '../client/types.js'
import {type ExitName, limits, type WriteId} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {type Folded, foldResults} from './fold-results.js'
import {type Plan, type PlanOptions, planFile} from './plan-file.js'
import type {BulkReport} from './report.js'
import {type SetResult, sendSets} from './send-sets.js'

type BulkProgress = {setsDone: number; sets: number; rowsDone: number; rows: number}

export type BulkOptions = Omit<PlanOptions, 'setSize'> & {
  client: Pick<Client, 'write'>
  /** Records per set; 500 unless given. */
  setSize?: number | undefined
  /** Check and plan, and send nothing. */
  dryRun?: boolean | undefined
  /** Asked once, before the first set is sent and only when there is one; false leaves everything unsent. */
  confirm?: ((plan: Plan) => Promise<boolean>) | undefined
  onProgress?: ((progress: BulkProgress) => void) | undefined
}

/**
 * Sends the records of a file in sets and says what became of every row. Throws a `CliFailure` only before anything was
 * sent: the file cannot be read (invalid), has problems (invalid, one entry each), or the run was stopped.
 */
export async function bulkFromFile(operation: WriteId, options: BulkOptions): Promise<BulkReport> {
  const {confirm, dryRun = false, setSize = limits.defaultSetSize, signal} = options
  const plan = await planFile(operation, {...options, setSize})
  if (dryRun) return toReport(plan, {...leaveAll(plan), exit: 'ok'}, true)
  if (plan.sets.length > 0 && confirm && !(await confirm(plan))) {
    return toReport(plan, {...leaveAll(plan), exit: 'failure'}, false)
  }

  const results = await sendAll(plan, options)
  return toReport(plan, foldResults(plan, results, stopOf(signal)), false)
}

async function sendAll(plan: Plan, {client, signal, onProgress}: BulkOptions): Promise<SetResult[]> {
  const results: SetResult[] = []
  for await (const result of sendSets({client, signal, ...plan})) {
    results.push(result)
    const rowsDone = result.set.end
    onProgress?.({setsDone: results.length, sets: plan.sets.length, rowsDone, rows: plan.rows.length})
  }

  return results
}

function leaveAll(plan: Plan): Folded {
  return foldResults(
    plan,
    plan.sets.map((set) => ({set, answer: {fate: 'skipped'}})),
  )
}

function stopOf(signal: AbortSignal | undefined): ExitName | undefined {
  if (!signal?.aborted) return undefined
  return signal.reason instanceof CliFailure ? signal.reason.exit : 'interrupted'
}

function toReport(plan: Plan, folded: Folded, dryRun: boolean): BulkReport {
  const {operation, file, warnings, rows} = plan
  const notices = rows.length === 0 ? [...plan.notices, `${file} holds no rows: nothing to do.`] : plan.notices
  return {operation, file, dryRun, ...folded, warnings, notices}
}
