import type {Plan} from '../bulk/plan-file.js'
import {countToSend} from '../bulk/run-plan.js'
import {CliFailure} from '../errors.js'
import type {DiffFormat} from '../formats/names.js'
import {flagWord} from '../values/command-line.js'
import type {InputFlagValues} from './input-options.js'
import type {ClientFlags} from './open-client.js'
import type {PlanFlagValues} from './plan-flags.js'
import {askConfirmation} from './prompt.js'
import type {SendingFlagValues} from './sending-flags.js'
import type {Resolved} from './settings.js'

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

/** Who is there: whether standard input and standard error are a terminal, and how to ask. */
export type Audience = {input: boolean; output: boolean; ask: (question: string) => Promise<boolean>}

const audienceHere = (): Audience => ({
  input: process.stdin.isTTY === true,
  output: process.stderr.isTTY === true,
  ask: askConfirmation,
})

/**
 * Whether a plan may be sent: a protected profile must be named, and on a terminal more than one record asks. Throws
 * `usage` where the question is due and nobody can or may answer it.
 */
export async function allowWrite(
  plan: Plan,
  flags: WriteFlagValues,
  {profile, values}: Resolved,
  {input, output, ask}: Audience = audienceHere(),
): Promise<boolean> {
  if (values.protected.value === 'true' && flags.confirm !== profile) throw protectedProfile(profile)
  const count = countToSend(plan)
  if (flags.yes || flags.confirm === profile || count <= 1 || !output) return true
  if (flags.file === '-') throw unanswered(count, 'standard input is the file')
  if (!input) return true
  if (flags['no-input']) throw unanswered(count, '--no-input forbids the question')
  const sets = plan.sets.length === 1 ? 'one set' : `${plan.sets.length} sets`
  return ask(`${describeWrite(plan, count)} in ${sets} to profile ${profile}?`)
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
