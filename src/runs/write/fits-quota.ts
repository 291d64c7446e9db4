import {checkFits, type QuotaLeft, reconcileRequestsPerSet} from '../../quota/quota.js'
import {requestsForPreimages} from '../plan/preimages.js'
import type {RunReport} from '../report/report.js'
import {type Before, countToSend, type Planned} from '../rows/phases.js'
import {mostLiveReads} from '../rows/row-content.js'

/**
 * Throws a `CliFailure` (limited) when the sets, the reads before them, and finding out about the one in flight do not
 * fit within what is left.
 */
export function checkWrite(
  plan: Planned & {before: Before | null},
  quota: QuotaLeft,
  untilQuota: boolean | undefined,
): void {
  const reads = plan.before ? 0 : requestsForPreimages(plan.operation, countToSend(plan))
  checkFits({
    what: plan.file,
    requests: reads + plan.sets.length + mostLiveReads(plan.operation, plan.sets) + reconcileRequestsPerSet,
    quota,
    untilQuota,
    ways: [
      'Send what is left for: add --until-quota',
      'Spread it over days: send a part of the file each day.',
      'Need fewer requests: raise --set-size, or send fewer rows.',
    ],
  })
}

/**
 * A run ends as limited, not as partial, when nothing but a limit of the operation itself stopped it; with --until-quota
 * also when nothing but the quota did.
 */
export function endedByQuota(
  {rows, entries}: Pick<RunReport, 'rows' | 'entries'>,
  untilQuota: boolean | undefined,
): boolean {
  const {refused, rolledBack, inDoubt} = rows
  const isExpected = ({code}: {code: string}) => code === 'OWN_LIMIT' || (untilQuota === true && spent.has(code))
  return refused + rolledBack + inDoubt === 0 && entries.length > 0 && entries.every(isExpected)
}

const spent = new Set(['QUOTA_SPENT', 'QUOTA'])
