import {clearRest} from './clear-rest.js'
import {isHarmless, type Looked, look} from './look.js'
import {resend} from './resend.js'
import {resendToSee} from './resend-to-see.js'
import {confirm, leave, rejectAsAnswered, type SetInDoubt, say, wasAnswered} from './set-in-doubt.js'

/** Finds out what became of one set and finishes it; says so in its report. Gives back whether a signal ended it. */
export async function reconcileSet(context: SetInDoubt): Promise<boolean> {
  if (context.operation === 'machines.custom-data.create') {
    await resendToSee(context)
    return context.options.signal?.aborted === true
  }
  const looked = await look(context)
  if (looked.stopped) {
    say(context, 'stopped before it was known')
    leave(context)
    return true
  }
  await conclude(context, looked)
  return false
}

async function conclude(context: SetInDoubt, {judgement, settled}: Looked): Promise<void> {
  if (!judgement) {
    say(context, 'no look proved anything')
    return leave(context, allRows(context))
  }
  say(context, judgement.evidence)
  if (judgement.kind === 'applied') return confirm(context, judgement.ids, 'probe', judgement.evidence)
  if (judgement.kind === 'unclear') return leave(context, judgement.rows)
  if (judgement.kind === 'open') return clearRest(context, judgement)
  if (wasAnswered(context)) return rejectAsAnswered(context)

  const isProven = settled || judgement.final
  const harmless = await isHarmless(context)
  if (!isProven && !harmless) {
    say(context, 'that is too early to prove anything')
    return leave(context)
  }
  if (context.operation === 'alerts.create' && !harmless && !context.options.resendAfterSettle) {
    say(
      context,
      'not found, but a first copy that comes even later would double them: if you accept that, --resend-after-settle',
    )
    return leave(context, allRows(context))
  }
  await resend(context, isProven)
}

function allRows({entry}: SetInDoubt): {index: number}[] {
  return entry.set.places.map((_, index) => ({index}))
}
