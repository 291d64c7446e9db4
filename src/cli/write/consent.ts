import {writeOperation} from '../../contract/index.js'
import {flagText} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Repeated} from '../../runs/earlier-runs/repeated.js'
import {countRecords} from '../../runs/reconcile/judgement.js'
import {countToSend, type Planned} from '../../runs/rows/phases.js'
import {countDeletions, countFirstConfirmed, countNew} from '../../runs/rows/row-content.js'
import type {Resolved} from '../../settings/settings.js'
import {counted, thousands} from '../../values/counted.js'
import {type Around, type AskFlags, askConfirmation, askTyped, canAsk, isInCi} from '../terminal/prompt.js'

/** Who is there, and how to ask. */
export type Audience = {canAsk: typeof canAsk; ask: typeof askConfirmation; askTyped: typeof askTyped}

const audienceHere: Audience = {canAsk, ask: askConfirmation, askTyped}

/** The part of a plan that a confirmation is about. */
export type ToConfirm = Pick<Planned, 'operation' | 'rows' | 'sets' | 'file' | 'reading' | 'origin'> & {
  /** A run that applied the same rows, or half of them. */
  repeated?: Repeated | null
}

export type ConsentFlags = AskFlags & {
  yes?: boolean | undefined
  confirm?: string | undefined
  'confirm-count'?: number | undefined
}

type Profile = Pick<Resolved, 'profile' | 'values'>

/**
 * Checks that a plan may be sent, or that somebody can be asked. Throws `usage` for a protected profile that is not
 * named, for more than one record that needs a confirmation where nobody can be asked, and for deletions that were not
 * counted there or not counted right; `counts` is false where none is sent.
 */
export function checkConsent(
  plan: ToConfirm,
  flags: ConsentFlags,
  profile: Profile,
  {counts = true, audience = audienceHere}: {counts?: boolean; audience?: Audience} = {},
): void {
  const {values} = profile
  if (values.protected.value === 'true' && flags.confirm !== profile.profile)
    throw new CliFailure(`Profile "${profile.profile}" is protected; nothing was sent.`, {
      code: 'PROTECTED',
      hints: [`If you mean it, add: ${flagText('confirm', profile.profile)}`],
    })
  if (counts) checkCount(plan, flags, audience)
  if (needsConsent(plan, flags, profile) && !audience.canAsk(flags)) throw unanswered(flags)
}

/** Checks only that the deletions of a plan were counted, or that somebody can be asked for their number. */
export function checkCount(
  plan: ToConfirm,
  flags: ConsentFlags,
  audience: Pick<Audience, 'canAsk'> = audienceHere,
): void {
  const {'confirm-count': given} = flags
  if (writeOperation(plan.operation).deletes === 'none') return // a variable may give the flag for other commands
  const count = countDeletions(plan)
  if (given === undefined ? count === 0 || audience.canAsk(flags) : given === count) return
  if (given === countFirstConfirmed(plan)) return // a run is continued
  throw given === undefined ? uncounted(plan, flags) : miscounted(plan, given)
}

/**
 * Asks about more than one record, unless that was confirmed, and for the number of deletions, unless that was given;
 * `around` is made only then. False after a "no".
 */
export async function askConsent(
  plan: ToConfirm,
  flags: ConsentFlags,
  profile: Pick<Resolved, 'profile'>,
  around: () => Around | Promise<Around>,
  audience = audienceHere,
): Promise<boolean> {
  const where = `in ${profile.profile}`
  const [asks, asksCount] = [needsConsent(plan, flags, profile), needsCount(plan, flags)]
  if (!asks && !asksCount) return true
  const shown = await around()
  if (asks && !(await askToSend(plan, where, {audience, shown}))) return false
  if (!asksCount) return true
  const count = countDeletions(plan)
  const {above: _above, ...rest} = shown // shown above the first question already
  return audience.askTyped(
    `Type ${count} to delete ${describeDeletions(plan)} ${where}`,
    String(count),
    asks ? rest : shown,
  )
}

/** Asks yes or no; rows that an earlier run applied take the typed word "again". */
function askToSend(plan: ToConfirm, where: string, {audience, shown}: {audience: Audience; shown: Around}) {
  const {repeated} = plan
  const question = `${describeWrite(plan)} ${where}`
  if (!repeated) return audience.ask(`${question}?`, shown)
  const {applied, rows} = repeated
  const which = applied < rows ? `, ${thousands(applied)} of ${thousands(rows)} rows` : ''
  return audience.askTyped(`${question}${which} a second time? Type "again" to send`, 'again', shown)
}

/** Whether a person will be asked before the plan is sent. */
export function willAsk(plan: ToConfirm, flags: ConsentFlags, profile: Pick<Resolved, 'profile'>): boolean {
  return (needsConsent(plan, flags, profile) || needsCount(plan, flags)) && canAsk(flags)
}

/** Whether more than one record needs a yes; deletions are left out, because their number confirms them. */
function needsConsent(plan: ToConfirm, {yes, confirm}: ConsentFlags, {profile}: Pick<Resolved, 'profile'>): boolean {
  return !yes && confirm !== profile && countKept(plan) > 1
}

function needsCount(plan: ToConfirm, {'confirm-count': given}: ConsentFlags): boolean {
  return given === undefined && countDeletions(plan) > 0
}

/** Records to send that are not deleted. */
function countKept(plan: ToConfirm): number {
  return countToSend(plan) - countDeletions(plan)
}

function describeWrite(plan: ToConfirm): string {
  const {operation, file, reading, origin} = plan
  const {verb, nouns} = writeOperation(operation).words
  const [count, created] = [countKept(plan), countNew(plan)]
  if (origin.kind === 'undo') return `Undo ${counted(count, 'change')}`
  const does =
    created === 0 ? `${verb} ${thousands(count)}` : `${describeUpdates(verb, count - created)}${thousands(created)}`
  return `${does} ${nouns}${reading ? ` from ${file}` : ''}`
}

/** The text before the number of new records: `Update 12 and create `. */
function describeUpdates(verb: string, count: number): string {
  return count === 0 ? 'Create ' : `${verb} ${thousands(count)} and create `
}

/** `12 selections` */
function describeDeletions(plan: ToConfirm): string {
  return countRecords(countDeletions(plan), writeOperation(plan.operation))
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

function uncounted(plan: ToConfirm, flags: AskFlags): CliFailure {
  const what = describeDeletions(plan)
  return new CliFailure(`Confirmation is needed to delete ${what}, but ${whyUnasked(flags)}; nothing was sent.`, {
    code: 'NOT_CONFIRMED',
    exit: 'usage',
    hints: [`If you mean it, add: ${countFlag(countDeletions(plan))}`],
  })
}

function miscounted(plan: ToConfirm, given: number): CliFailure {
  const count = countDeletions(plan)
  const what = count === 0 ? 'nothing' : describeDeletions(plan)
  return new CliFailure(`--confirm-count is ${given}, but ${what} would be deleted; nothing was sent.`, {
    code: 'OTHER_COUNT',
    hints: [`See them with --dry-run. If you mean it: ${countFlag(count)}`],
  })
}

/** The flag that confirms a number of deletions. */
export function countFlag(count: number): string {
  return flagText('confirm-count', String(count))
}
