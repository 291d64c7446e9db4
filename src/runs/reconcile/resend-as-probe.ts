import {isStage, stageOf} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {rowsOfSet} from '../plan/cut-sets.js'
import {findDuplicates, type Refused} from './find-duplicates.js'
import {mayResend, sendAgain, takeNoAnswer} from './resend.js'
import {allRows, confirm, leave, note, reject, restore, type SetInDoubt} from './set-in-doubt.js'

/** Refusals that depend only on what was sent, so that a first copy was refused, too. */
const always = new Set(['DESERIALIZATION_ERROR', 'MISSING_REQUIRED_DATA', 'DATE_PARSING', 'HTTP_413'])

/**
 * Sends records again that no read shows: what already exists is refused, and a set is applied completely or not at
 * all. Stages before the standard body answer a duplicate like a broken gateway, so that it would prove nothing. [seed]
 */
export async function resendAsProbe(context: SetInDoubt): Promise<void> {
  const {stage} = context.run.facts
  if (!isStage(stage) || !stageOf(stage).bulk) {
    note(context, `no read shows these records, and stage ${stage} does not tell which already exist`)
    leave(context, allRows(context))
    return
  }
  if (!mayResend(context, false)) return
  const answer = await sendAgain(context)
  if (answer.fate === 'applied') {
    note(context, 'sent again: applied, so the first copy was not')
    confirm(context, answer.ids, 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') takeRefusal(context, answer)
  else takeNoAnswer(context, answer)
}

function takeRefusal(context: SetInDoubt, answer: Refused): void {
  const {run, entry, operation} = context
  const size = entry.set.places.length
  const named = findDuplicates(operation, answer, rowsOfSet(run.plan.rows, entry.set))
  const refusal = `sent again: refused, ${answer.status} ${answer.refusals[0]?.code ?? ''}`.trimEnd()
  if (named?.size === size) {
    note(context, `${refusal} for all of it, so it is there: applied by the first copy, or there before`)
    confirm(context, [], 'resend', 'sent again; all of it already exists')
  } else if (named && named.size > 1) {
    const some = `${named.size} of ${counted(size, 'row')}`
    note(context, `${refusal} for ${some}: of someone else, because a set is applied completely or not at all`)
    reject(context, answer, 'resend', 'sent again; a part of it belongs to someone else')
  } else if (!named && answer.refusals.every(({code}) => always.has(code))) {
    note(context, `${refusal}, as the first copy must have been`)
    reject(context, answer, 'resend', 'sent again and refused for what it holds')
  } else {
    note(context, `${refusal}${named ? ' for one row' : ''}, which does not show whether the first copy was applied`)
    restore(context, refusal)
    leave(context, named?.size ? [...named].map((index) => ({index})) : allRows(context))
  }
}
