import {flagWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {DiffFormat} from '../../formats/names.js'
import type {Plan} from '../../runs/plan/plan.js'
import {countToSend} from '../../runs/plan/plan.js'
import type {ClientFlags} from '../client/open-client.js'
import type {PlanFlagValues} from '../plans/plan-flags.js'
import type {Resolved} from '../settings/settings.js'
import {type Around, askConfirmation, canAsk} from '../terminal/prompt.js'
import {isInCi} from '../terminal/terminal.js'
import type {InputFlagValues} from './input-options.js'
import type {SendingFlagValues} from './sending-flags.js'

/** The values of the flags of every bulk write. */
export type WriteFlagValues = ClientFlags &
  InputFlagValues &
  SendingFlagValues &
  PlanFlagValues & {
    file?: string | undefined
    'set-size': number
    'max-records'?: number | undefined
    'dry-run'?: boolean | undefined
    'detailed-exitcode'?: boolean | undefined
    output?: DiffFormat | undefined
    yes?: boolean | undefined
    fresh?: boolean | undefined
    settle?: number | undefined
    confirm?: string | undefined
    'until-quota'?: boolean | undefined
    'no-input'?: boolean | undefined
    json?: boolean | undefined
    'fail-on-empty'?: boolean | undefined
    quiet?: boolean | undefined
    verbose?: boolean | undefined
  }

/** The values of the flags of a bulk write from a file. */
export type BulkFlagValues = WriteFlagValues & {
  'send-unchanged'?: boolean | undefined
  replace?: boolean | undefined
}

/** The values of the flags of a write whose records may also be named or searched for. */
export type SelectionFlagValues = WriteFlagValues & Readonly<Record<string, unknown>> & {'allow-clamp'?: boolean}

/** Who is there, and how to ask. */
export type Audience = {canAsk: typeof canAsk; ask: typeof askConfirmation}

const audienceHere: Audience = {canAsk, ask: askConfirmation}

/**
 * Checks that a plan may be sent, or that somebody can be asked. Throws `usage` for a protected profile that is not
 * named, and for more than one record that nobody agreed to and nobody can be asked about.
 */
export function checkConsent(
  plan: Plan,
  flags: WriteFlagValues,
  {profile, values}: Resolved,
  audience: Audience = audienceHere,
): void {
  if (values.protected.value === 'true' && flags.confirm !== profile) throw protectedProfile(profile)
  if (!isAsked(plan, flags, profile) || audience.canAsk(flags)) return
  throw unanswered(countToSend(plan), whyUnasked(flags))
}

function whyUnasked(flags: WriteFlagValues): string {
  if (flags['no-input']) return '--no-input forbids the question'
  if (flags.json) return '--json never asks'
  return isInCi() ? 'the variable CI is set, so nobody is asked' : 'there is no terminal to ask on'
}

/** Asks about more than one record that nobody agreed to; `around` is made only then. False after a "no". */
export async function askConsent(
  plan: Plan,
  flags: WriteFlagValues,
  {profile}: Resolved,
  around: () => Around,
  audience: Audience = audienceHere,
): Promise<boolean> {
  if (!isAsked(plan, flags, profile)) return true
  const sets = plan.sets.length === 1 ? 'one set' : `${plan.sets.length} sets`
  return audience.ask(`${describeWrite(plan, countToSend(plan))} in ${sets} to profile ${profile}?`, around())
}

/** Whether a person answers for a plan before it is sent. */
export function willAsk(plan: Plan, flags: WriteFlagValues, {profile}: Resolved): boolean {
  return isAsked(plan, flags, profile) && canAsk(flags)
}

function isAsked(plan: Plan, {yes, confirm}: WriteFlagValues, profile: string): boolean {
  return !yes && confirm !== profile && countToSend(plan) > 1
}

function describeWrite({operation, file, undoes}: Plan, count: number): string {
  if (undoes !== undefined) return `Take back ${count} records of run ${undoes}`
  return operation === 'alerts.clear' ? `Clear ${count} alerts` : `Send ${count} records of ${file}`
}

function unanswered(count: number, why: string): CliFailure {
  return new CliFailure(`${count} records would be sent without a question: ${why}; nothing was sent.`, {
    code: 'NOT_CONFIRMED',
    exit: 'usage',
    hints: ['If you mean it, add: --yes'],
  })
}

function protectedProfile(profile: string): CliFailure {
  return new CliFailure(`Profile "${profile}" is protected; nothing was sent.`, {
    code: 'PROTECTED',
    exit: 'usage',
    hints: [`If you mean it, add: ${flagWord('confirm', profile)}`],
  })
}
