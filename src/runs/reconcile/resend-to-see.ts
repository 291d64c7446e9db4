import type {WriteAnswer} from '../../client/types.js'
import {isStage, stageOf} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {rowsOfSet} from '../plan/cut-sets.js'
import {findDuplicates} from './find-duplicates.js'
import {mayResend, send, takeNoAnswer} from './resend.js'
import {confirm, leave, reject, restore, type SetInDoubt, say} from './set-in-doubt.js'

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

/** Refusals that only depend on what was sent, so that a first copy met them, too. */
const always = new Set(['DESERIALIZATION_ERROR', 'MISSING_REQUIRED_DATA', 'DATE_PARSING', 'HTTP_413'])

/**
 * Sends custom data again, which cannot be read: what exists already is refused, and a set is applied whole or not at
 * all. Stages before the standard body answer a duplicate like a broken gateway, so that it would prove nothing. [seed]
 */
export async function resendToSee(context: SetInDoubt): Promise<void> {
  const {run} = context
  const {stage} = run.facts
  if (!isStage(stage) || !stageOf(stage).bulk) {
    say(context, `custom data cannot be read, and stage ${stage} does not say what exists already`)
    leave(context, allRows(context))
    return
  }
  if (!mayResend(context, false)) return
  const answer = await send(context)
  if (answer.fate === 'applied') {
    say(context, 'sent again: applied, so that the first copy was not')
    confirm(context, answer.ids, 'resend', 'sent again and answered that it is done')
  } else if (answer.fate === 'refused') takeRefusal(context, answer)
  else takeNoAnswer(context, answer)
}

function takeRefusal(context: SetInDoubt, answer: Refused): void {
  const {run, entry, operation} = context
  const size = entry.set.places.length
  const named = findDuplicates(operation, answer, rowsOfSet(run.plan.rows, entry.set))
  const said = `sent again: refused, ${answer.status} ${answer.refusals[0]?.code ?? ''}`.trimEnd()
  if (named?.size === size) {
    say(context, `${said} for all of it, so it is there: applied by the first copy, or there before`)
    confirm(context, [], 'resend', 'sent again; all of it exists already')
  } else if (named && named.size > 1) {
    say(
      context,
      `${said} for ${named.size} of ${counted(size, 'row')}: not ours, for a set is applied whole or not at all`,
    )
    reject(context, answer, 'resend', 'sent again; a part of it belongs to someone else')
  } else if (!named && answer.refusals.every(({code}) => always.has(code))) {
    say(context, `${said}, as the first copy must have been`)
    reject(context, answer, 'resend', 'sent again and refused for what it holds')
  } else {
    say(context, `${said}${named ? ' for one row' : ''}, which does not show whether the first copy was applied`)
    restore(context, said)
    leave(context, named?.size ? [...named].map((index) => ({index})) : allRows(context))
  }
}

function allRows({entry}: SetInDoubt): {index: number}[] {
  return entry.set.places.map((_, index) => ({index}))
}
