import {CliFailure} from '../../../core/errors.js'
import type {Plan} from '../../../runs/plan/plan.js'
import {withMoves} from '../../../runs/plan/sites/moves.js'
import {readSiteTotals} from '../../../runs/plan/sites/site-totals.js'
import type {WriteSession} from '../write-session.js'

/** The plan with what only sites show: who moves, and, for whoever is about to decide, the sums by site. */
export async function withPlaces(
  plan: Plan,
  {client, notes, progress}: Pick<WriteSession, 'client' | 'notes' | 'progress'>,
  {isAsked}: {isAsked: boolean},
): Promise<Plan> {
  try {
    const moved = await withMoves(plan, client)
    const totals = isAsked ? await readSiteTotals(client, moved) : undefined
    progress.pause()
    return totals ? {...moved, totals} : moved
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    notes.warn(`the sites could not be read, so they are not shown: ${error.message}`)
    return plan
  }
}
