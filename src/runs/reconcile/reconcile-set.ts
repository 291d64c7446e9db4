import {writeOperation} from '../../contract/index.js'
import {isHarmless, type Probed, probeUntilSettled} from './probe-until-settled.js'
import {resend} from './resend.js'
import {resendAsProbe} from './resend-as-probe.js'
import {sendRest} from './send-rest.js'
import {allRows, confirm, leave, note, rejectAsAnswered, type SetInDoubt, wasAnswered} from './set-in-doubt.js'

/** Finds out what became of one set and finishes it; its report tells how. Returns whether a signal ended it. */
export async function reconcileSet(context: SetInDoubt): Promise<boolean> {
  if (writeOperation(context.operation).probe.kind === 'resend') {
    await resendAsProbe(context)
    return context.options.signal?.aborted === true
  }
  const probed = await probeUntilSettled(context)
  if (probed.stopped) {
    note(context, 'stopped before it was known')
    leave(context)
    return true
  }
  await conclude(context, probed)
  return false
}

async function conclude(context: SetInDoubt, {judgement, settled}: Probed): Promise<void> {
  if (!judgement) {
    note(context, 'no read proved anything')
    return leave(context, allRows(context))
  }
  note(context, judgement.evidence)
  if (judgement.kind === 'applied') return confirm(context, judgement.ids, 'probe', judgement.evidence)
  if (judgement.kind === 'unclear') return leave(context, judgement.rows)
  if (judgement.kind === 'open') return sendRest(context, judgement)
  if (wasAnswered(context)) return rejectAsAnswered(context)

  const isProven = settled || judgement.final
  const harmless = await isHarmless(context)
  if (!isProven && !harmless) {
    note(context, 'which is too early to prove anything')
    return leave(context)
  }
  const {when} = writeOperation(context.operation).repeatable
  if (when === 'asked' && !harmless && !context.options.resendAfterSettle) {
    note(
      context,
      'not sent again: a first copy that arrives even later would double them (--resend-after-settle accepts that)',
    )
    return leave(context, allRows(context))
  }
  await resend(context, isProven)
}
