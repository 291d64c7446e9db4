import {CliFailure} from '../../../core/errors.js'
import type {Plan} from '../../../runs/plan/plan.js'
import {machinesToPickUp, readPickUp} from '../../../runs/report/pick-up.js'
import type {RunReport} from '../../../runs/report/report.js'
import {stopSignal} from '../../app/signals.js'
import type {WriteSession} from '../write-session.js'

/** The report with how far the change has reached the machines; what cannot be read changes nothing else of it. */
export async function withPickUp(
  report: RunReport,
  plan: Pick<Plan, 'operation' | 'rows' | 'comparison'>,
  {client, progress}: Pick<WriteSession, 'client' | 'progress'>,
): Promise<RunReport> {
  const machines = report.rows.applied === 0 || stopSignal.aborted ? [] : machinesToPickUp(plan, report)
  if (machines.length === 0) return report
  progress.update('Reading the machines …')
  try {
    return {...report, pickUp: await readPickUp(client, machines)}
  } catch (error) {
    if (!(error instanceof CliFailure) && !stopSignal.aborted) throw error
    const why = `how many machines have picked up the change is not known: ${(error as Error).message}`
    return {...report, notices: [...report.notices, why]}
  }
}
