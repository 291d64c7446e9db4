import {writeOperation} from '../../contract/index.js'
import {flagWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {countToSend, type Plan} from '../../runs/plan/plan.js'
import type {Resolved} from '../settings/settings.js'
import {type Around, type AskFlags, askConfirmation, canAsk} from '../terminal/prompt.js'
import {isInCi} from '../terminal/terminal.js'
import type {WriteFlags} from './write-flags.js'

/** Who is there, and how to ask. */
export type Audience = {canAsk: typeof canAsk; ask: typeof askConfirmation}

const audienceHere: Audience = {canAsk, ask: askConfirmation}

/**
 * Checks that a plan may be sent, or that somebody can be asked. Throws `usage` for a protected profile that is not
 * named, and for more than one record that needs a confirmation where nobody can be asked.
 */
export function checkConsent(
  plan: Plan,
  flags: WriteFlags,
  {profile, values}: Resolved,
  audience: Audience = audienceHere,
): void {
  if (values.protected.value === 'true' && flags.confirm !== profile) throw protectedProfile(profile)
  if (needsConsent(plan, flags, profile) && !audience.canAsk(flags)) throw unanswered(flags)
}

/** Asks about more than one record, unless that was confirmed; `around` is made only then. False after a "no". */
export async function askConsent(
  plan: Plan,
  flags: WriteFlags,
  {profile}: Resolved,
  around: () => Around | Promise<Around>,
  audience: Audience = audienceHere,
): Promise<boolean> {
  if (!needsConsent(plan, flags, profile)) return true
  return audience.ask(`${describeWrite(plan)} in ${profile}?`, await around())
}

/** Whether a person answers for a plan before it is sent. */
export function willAsk(plan: Plan, flags: WriteFlags, {profile}: Resolved): boolean {
  return needsConsent(plan, flags, profile) && canAsk(flags)
}

function needsConsent(plan: Plan, {yes, confirm}: WriteFlags, profile: string): boolean {
  return !yes && confirm !== profile && countToSend(plan) > 1
}

function describeWrite(plan: Plan): string {
  const {operation, file, format, undoes} = plan
  const {verb, nouns} = writeOperation(operation).words
  const count = countToSend(plan)
  if (undoes !== undefined) return `Undo ${count} changes`
  return `${verb} ${count} ${nouns}${format ? ` from ${file}` : ''}`
}

function whyUnasked(flags: AskFlags): string {
  if (flags['no-input']) return '--no-input is set'
  if (flags.json) return '--json never asks'
  return isInCi() ? 'nobody is asked where the variable CI is set' : 'there is no terminal to ask on'
}

/** The failure for a question that nobody can be asked. */
export function unanswered(flags: AskFlags): CliFailure {
  return new CliFailure(`Confirmation is needed, but ${whyUnasked(flags)}.`, {
    code: 'NOT_CONFIRMED',
    exit: 'usage',
    hints: ['Add --yes.'],
  })
}

function protectedProfile(profile: string): CliFailure {
  return new CliFailure(`Profile "${profile}" is protected; nothing was sent.`, {
    code: 'PROTECTED',
    exit: 'usage',
    hints: [`If you mean it, add: ${flagWord('confirm', profile)}`],
  })
}
