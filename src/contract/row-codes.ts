import type {RowCode} from './base/grammar.js'

/**
 * The fates of a row, in the order in which they are shown; they add up to the rows of the file. `unchanged`: the
 * record has all values of the row already, and nothing was to be sent.
 */
export const fateNames = ['applied', 'refused', 'rolledBack', 'inDoubt', 'unsent', 'unchanged'] as const

/** Codes of rows in results and rejects files that vendorctl gives, not the service. */
export const rowCodes = {
  APPLIED_BEFORE: {
    about: 'An earlier, incomplete run has already applied this row, so it was not sent again.',
    changed: 'What the row says, by the run named in the message.',
    again: 'Not needed; --fresh ignores earlier runs and sends such rows anyway.',
    hint: 'See what the other run did with: vendorctl runs show ID.',
  },
  CONTINUED: {
    about: 'A later run took over this row, or changed its record.',
    changed: 'Nothing by this run; what became of the row is in the results of the run named in the message.',
    again: 'Not by this run.',
    hint: 'See what became of the row with: vendorctl runs results ID.',
  },
  SET_REFUSED: {
    about: 'The set of this row was refused, and the service named no row.',
    changed: 'Nothing: a refused set is rolled back completely.',
    again: 'Only after a fix: the message contains the code of the service.',
    hint: 'Find the wrong rows with --on-error bisect, or use a smaller --set-size.',
  },
  ROLLED_BACK: {
    about: 'This row is correct; another row of its set was refused.',
    changed: 'Nothing: a refused set is rolled back completely.',
    again: 'Yes.',
    hint: 'Send it again without the refused rows, or use --on-error quarantine.',
  },
  NOT_SENT: {
    about: 'The run stopped before the set of this row.',
    changed: 'Nothing by this row.',
    again: 'Yes.',
    hint: 'Once the cause of the stop is fixed: vendorctl runs resume ID.',
  },
  BISECT_BUDGET: {
    about: 'The set of this row was refused, and the requests for finding the wrong rows were used up.',
    changed: 'Nothing: a refused set is rolled back completely.',
    again: 'Yes, but a row of it may be refused again.',
    hint: 'Send it again with a larger --bisect-budget or a smaller --set-size.',
  },
  CHANGED_SINCE: {
    about: 'Somebody changed the record since the run that is being undone; --skip-changed skipped the row.',
    changed: 'Nothing by this row.',
    again: 'Only by a write of your own, after checking the record.',
    hint: 'Read the record, and decide which of its values is right.',
  },
  UNCHANGED: {
    about: 'The record already has these values, so the row was not sent.',
    changed: 'Nothing.',
    again: 'Not needed; an update sends such rows anyway with --send-unchanged.',
    hint: 'Nothing.',
  },
} as const satisfies Record<string, RowCode>
