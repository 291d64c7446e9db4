import {CliFailure} from '../../core/errors.js'
import {isOpen} from '../../runs/earlier-runs/read-runs.js'
import {withJournal} from '../../runs/journal/read-journal.js'
import {listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import {findLeftParts} from '../../runs/resume/left-sets.js'
import {systemTimes} from './run-record.js'

/**
 * The newest run that has something left to send or to find out; undefined when there is none. Runs that cannot be read
 * are passed over. Throws `storage` when only such runs may have something left.
 */
export function findOpenRun(folder: RunFolder): string | undefined {
  let unreadable: CliFailure | undefined
  const found = listRunIds(folder).findLast((id) => {
    try {
      return withJournal(folder, id, systemTimes, (journal) => {
        const facts = journal.facts()
        if (facts.exported !== undefined || !isOpen({facts, outcome: journal.outcome()})) return false
        return findLeftParts(journal.partStates()).length > 0
      })
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      unreadable ??= error
      return false
    }
  })
  if (found === undefined && unreadable) throw unreadable
  return found
}
