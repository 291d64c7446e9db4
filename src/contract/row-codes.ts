import type {RowCode} from './grammar.js'

/** Codes of rows in results and rejects files that are ours and not the service's. */
export const rowCodes = {
  APPLIED_BEFORE: {
    about: 'An earlier run that was not complete had applied this row already, so that it was not sent again.',
    changed: 'What the row says, by the run that the message names.',
    again: 'There is no need to; --fresh takes no notice of earlier runs and sends such rows all the same.',
    hint: 'See what the other run did with: vendorctl runs show ID.',
  },
  CONTINUED: {
    about: 'A later run took this row over, or decided about its record.',
    changed: 'Nothing by this run; what became of the row is in the results of the run that the message names.',
    again: 'Not by this run.',
    hint: 'See what became of the row with: vendorctl runs results ID.',
  },
  SET_REFUSED: {
    about: 'The set of this row was refused, and the service named no row of it.',
    changed: 'Nothing: a set that is refused is rolled back whole.',
    again: 'Not as it is: the message holds the code of the service.',
    hint: 'Find the guilty rows with --on-error bisect, or send a smaller --set-size.',
  },
  ROLLED_BACK: {
    about: 'Nothing is wrong with this row; another row of its set was refused.',
    changed: 'Nothing: a set that is refused is rolled back whole.',
    again: 'Yes.',
    hint: 'Send it again without the refused rows, or let --on-error quarantine do so.',
  },
  NOT_SENT: {
    about: 'The run stopped before the set of this row.',
    changed: 'Nothing by this row.',
    again: 'Yes.',
    hint: 'Once the cause of the stop is mended: vendorctl runs resume ID.',
  },
  BISECT_BUDGET: {
    about: 'The set of this row was refused, and the requests to find the guilty rows were used up.',
    changed: 'Nothing: a set that is refused is rolled back whole.',
    again: 'Yes, but one row of the part may be refused again.',
    hint: 'Send it again with a larger --bisect-budget, or with a smaller --set-size.',
  },
  CHANGED_SINCE: {
    about: 'Somebody changed the record since the run that is undone; --skip-changed left the row out.',
    changed: 'Nothing by this row.',
    again: 'Only by a write of your own, after a look at the record.',
    hint: 'Read the record, and decide which of its values is right.',
  },
  UNCHANGED: {
    about: 'The record is already as the row wants it, so that it was not sent.',
    changed: 'Nothing.',
    again: 'There is no need to; --send-unchanged sends such rows all the same.',
    hint: 'Nothing.',
  },
} as const satisfies Record<string, RowCode>
