import {pickUp, readOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Plan} from '../../runs/plan/plan.js'
import {machinesToPickUp, type PickUp, readPickUp} from '../../runs/report/pick-up.js'
import type {RunReport} from '../../runs/report/report.js'
import {counted} from '../../values/counted.js'
import {stopSignal} from '../app/signals.js'
import type {WriteSession} from './write-session.js'

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

/** `9 of 12 machines have not picked up the change yet …` */
export function describePickUp({machines, waiting, oldest, newest}: PickUp): string[] {
  if (machines === 0) return []
  if (waiting === 0) {
    return [
      machines === 1 ? 'The machine has picked up the change.' : `All ${machines} machines have picked up the change.`,
    ]
  }
  const seen = oldest === newest ? `last heartbeat ${oldest}` : `last heartbeats ${oldest} to ${newest}`
  const has = waiting === 1 ? 'has' : 'have'
  const {read, flag, typicalMinutes} = pickUp
  return [
    `${waiting} of ${counted(machines, 'machine')} ${has} not picked up the change yet${oldest === null ? '' : ` (${seen})`}; typically they do so within ${typicalMinutes} minutes.`,
    `→ See which: ${commandLine(readOperation(read).command, [], {where: `${flag}=true`})}`,
  ]
}
