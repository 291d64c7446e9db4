import type {Plan} from '../bulk/plan-file.js'
import {CliFailure} from '../errors.js'
import type {InputFlagValues} from './input-options.js'
import type {ClientFlags} from './open-client.js'
import {askConfirmation, canAsk} from './prompt.js'
import type {Resolved} from './settings.js'

export type BulkFlagValues = ClientFlags &
  InputFlagValues & {
    file: string
    'set-size': number
    atomic?: boolean | undefined
    'dry-run'?: boolean | undefined
    yes?: boolean | undefined
    confirm?: string | undefined
    'no-input'?: boolean | undefined
    quiet?: boolean | undefined
    verbose?: boolean | undefined
  }

/** Whether a plan may be sent: a protected profile must be named, and on a terminal more than one record asks. */
export async function allowWrite(plan: Plan, flags: BulkFlagValues, {profile, values}: Resolved): Promise<boolean> {
  if (values.protected.value === 'true' && flags.confirm !== profile) throw protectedProfile(profile)
  if (flags.yes || flags.confirm === profile || plan.rows.length <= 1) return true
  if (!canAsk(flags['no-input'] ?? false) || flags.file === '-') return true
  const sets = plan.sets.length === 1 ? 'one set' : `${plan.sets.length} sets`
  return askConfirmation(`Send ${plan.rows.length} records of ${plan.file} in ${sets} to profile ${profile}?`)
}

function protectedProfile(profile: string): CliFailure {
  return new CliFailure(`Profile "${profile}" is protected; nothing was sent.`, {
    code: 'PROTECTED',
    exit: 'usage',
    hints: [`If you mean it, add: --confirm ${profile}`],
  })
}
