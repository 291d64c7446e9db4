import type {Client, Page} from '../../client/types.js'
import type {CliFailure} from '../../core/errors.js'
import {checkFits, isQuotaSpent, type QuotaLeft, reconcileRequestsPerSet} from '../../quota/quota.js'
import {requestsForPreimages} from '../../runs/plan/preimages.js'
import type {RunReport} from '../../runs/report/report.js'
import {type Before, countToSend, type Planned} from '../../runs/rows/phases.js'
import {mostLiveReads} from '../../runs/rows/row-content.js'

export type Reading = {
  client: Pick<Client, 'quota'>
  /** As the subject of a sentence. */
  what: string
  untilQuota: boolean
  /** Records that are wanted; all unless given. */
  limit?: number | undefined
}

/** What ended a read before its last page. */
export type Ended = {by?: CliFailure}

/**
 * The pages of a read that fits within the day's requests. Throws a `CliFailure` (limited) before the second page when
 * it does not fit; where the user wants what there is, it ends when the requests are spent, and `ended` says so.
 */
export async function* withinQuota<Answer extends {page: Page}>(
  pages: AsyncIterable<Answer>,
  {client, what, untilQuota, limit}: Reading,
  ended: Ended,
): AsyncGenerator<Answer, void, void> {
  let handed = 0
  try {
    for await (const answer of pages) {
      const isFirst = handed++ === 0
      if (isFirst) checkFits({what, requests: pagesAfter(answer.page, limit), quota: client.quota(), untilQuota, ways})
      yield answer
    }
  } catch (error) {
    if (!untilQuota || handed === 0 || !isQuotaSpent(error)) throw error
    ended.by = error
  }
}

const ways = [
  'Take what is left: add --until-quota',
  'Spread it over days: read a part each day with narrower filters.',
  'Ask for less: narrow the filters, or set --limit.',
]

function pagesAfter({number, totalPages, size}: Page, limit = Number.POSITIVE_INFINITY): number {
  return Math.max(0, Math.min(totalPages, Math.ceil(limit / size)) - number)
}

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
