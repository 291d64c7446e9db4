import {isOpen, withJournal} from '../bulk/recognise/run-summaries.js'
import {findLeftParts} from '../bulk/resume/left-sets.js'
import {CliFailure} from '../errors.js'
import {listRunIds, type RunFolder} from '../state/run-folder.js'
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
