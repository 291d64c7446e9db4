import type {Client, Page} from '../../client/types.js'
import type {CliFailure} from '../../core/errors.js'
import {checkFits, isQuotaSpent} from '../../quota/quota.js'

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
