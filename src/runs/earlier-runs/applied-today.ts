import {millisecondsPerDay} from '../../values/date-time.js'
import type {Times} from '../journal/journal.js'
import {withJournalIfSound} from '../journal/read-journal.js'
import {listRunIds, type RunFolder} from '../journal/run-folder.js'
import type {RunTarget} from '../journal/sent-counter.js'
import {isSameTarget} from './read-runs.js'

/** How many rows the runs of this user applied to a target since 00:00 UTC; a journal that cannot be read counts nothing. */
export function countAppliedToday(folder: RunFolder, times: Times, target: RunTarget): number {
  const now = times.now()
  const midnight = now - (now % millisecondsPerDay)
  const counts = listRunIds(folder).map((id) =>
    withJournalIfSound(folder, id, times, (journal) => {
      if (!isSameTarget(journal.facts(), target)) return 0
      const today = journal.events().filter(({at, to}) => to === 'confirmed' && at >= midnight)
      const applied = new Set(today.map(({part}) => part))
      return applied.size === 0 ? 0 : countRows(journal.parts().filter(({seq}) => applied.has(seq)))
    }),
  )
  return counts.reduce<number>((sum, count = 0) => sum + count, 0)
}

function countRows(parts: readonly {places: readonly number[]}[]): number {
  return parts.reduce((sum, {places}) => sum + places.length, 0)
}
