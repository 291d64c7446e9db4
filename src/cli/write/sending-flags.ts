import {Flags} from '@oclif/core'
import {limits} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {defaultBisectBudget, onErrorModes} from '../../runs/rows/on-error.js'
import type {Sending} from '../../runs/rows/phases.js'
import {clientFlags, environmentName as env, type FlagValues, grouped, named} from '../app/flags.js'
import {FlagValueError} from '../app/usage-error.js'

/** Flags for sending sets and for the files about them; of every bulk write. */
export const sendingFlags = grouped('FILES', {
  'on-error': Flags.option({
    options: onErrorModes,
    default: 'stop',
    helpGroup: 'SENDING',
    description:
      'After a refused set: stop; quarantine resends it without the refused rows; bisect also finds them by halving the set.',
  })(),
  'bisect-budget': Flags.integer({
    min: 1,
    default: defaultBisectBudget,
    helpGroup: 'SENDING',
    helpValue: 'N',
    description: 'Maximum number of requests that --on-error bisect sends to find rows.',
  }),
  canary: Flags.integer({
    min: 1,
    helpGroup: 'SENDING',
    helpValue: 'N',
    description: 'Send N rows first, and continue only if all were applied.',
  }),
  rejects: Flags.string({
    helpValue: 'PATH',
    description: 'File for rows to fix and resend (refused, rolled back or not sent); NAME.rejects.csv by default.',
  }),
  results: Flags.string({helpValue: 'PATH', description: 'File for every row with _fate, _id, _code and _message.'}),
  annotations: Flags.string({
    helpValue: 'PATH',
    description: 'File for all problems and refusals, as a GitLab Code Quality report.',
  }),
  'run-page': Flags.string({
    helpValue: 'PATH',
    description: 'File for a page about this run, .html or .md, as runs show -o html prints it later.',
  }),
  overwrite: Flags.boolean({description: 'Replace existing files.'}),
})

type SendingFlags = FlagValues<typeof sendingFlags> & {atomic?: boolean | undefined}

/** Throws `usage` for flags that contradict each other: one set cannot be sent in parts. */
export function checkSending({atomic, canary, 'on-error': onError = 'stop'}: SendingFlags): void {
  if (!atomic) return
  const other = canary === undefined ? (onError === 'stop' ? undefined : `--on-error ${onError}`) : '--canary'
  if (other === undefined) return
  throw new CliFailure(`--atomic and ${other} contradict each other: one set is applied completely or not at all.`, {
    code: 'CONTRADICTION',
    exit: 'usage',
    hints: [`Leave out --atomic or ${other}.`],
  })
}

/** Options of sending sets, as a plan and a journal keep them. */
export function toSending(
  flags: SendingFlags & {'set-size'?: number | undefined; replace?: boolean | undefined},
): Sending {
  return {
    setSize: flags['set-size'] ?? limits.defaultSetSize,
    onError: flags['on-error'] ?? 'stop',
    bisectBudget: flags['bisect-budget'] ?? null,
    atomic: flags.atomic ?? false,
    canary: flags.canary ?? null,
    replace: flags.replace ?? false,
  }
}

const longestSeconds = 900
const usualSeconds = 120

export const settleFlag = Flags.custom<number>({
  env: env('settle'),
  helpGroup: 'DOUBT',
  helpValue: 'SECONDS',
  description: `Time after a lost response until rows that are not found count as not applied; by default that of the write, or ${usualSeconds}.`,
  parse: async (text) => toSeconds(text),
})()

export const freshFlag = Flags.boolean({
  env: env('fresh'),
  helpGroup: 'SENDING',
  description: 'Ignore earlier runs: also send rows that they applied.',
})

/** Flags of commands that reconcile a run. */
export const settleFlags = named({
  settle: settleFlag,
  'resend-after-settle': Flags.boolean({
    helpGroup: 'DOUBT',
    description: 'Resend alerts that were not found by then, although a delayed first copy would duplicate them.',
  }),
})

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds >= 0 && seconds <= longestSeconds) return seconds
  throw new FlagValueError(`--settle is not a number of seconds up to ${longestSeconds}: "${text}".`)
}

type Settling = {settle?: number | undefined; 'resend-after-settle'?: boolean | undefined}

/** Options of looking for rows in doubt, by the flags; else with the time given to the write itself. */
export function toSettling({settle, 'resend-after-settle': resendAfterSettle}: Settling, ofWrite?: number) {
  const seconds = settle ?? ofWrite
  return {settleMilliseconds: seconds === undefined ? undefined : seconds * 1000, resendAfterSettle}
}

/** Flags that --apply-plan excludes, because the plan has their values. */
const flagsOfPlan = [
  'set-size',
  'atomic',
  'on-error',
  'bisect-budget',
  'canary',
  'map',
  'map-file',
  'map-values',
  'match',
  'lookup',
  'set',
  'change',
  'replace',
  'send-unchanged',
  'skip-applied',
  'empty',
  'unknown-columns',
  'allow-damage',
  'plan-out',
  'no-create',
  'no-update',
  'allow-similar',
]

/** Who approves a plan, and for how long. */
export const approveFlags = grouped('APPROVAL', {
  profile: clientFlags.profile,
  expires: Flags.string({helpValue: '30m|24h', default: '24h', description: 'How long the approval is valid.'}),
  'ssh-key': Flags.string({
    helpValue: 'PATH',
    description: 'The ssh key to sign with; by default the first in ~/.ssh.',
  }),
})

/** A plan that is written by a dry run and applied later; of every bulk write. */
export const planFlags = grouped('SENDING', {
  'plan-out': Flags.string({
    dependsOn: ['dry-run'],
    helpGroup: 'DRY RUN',
    helpValue: 'PATH',
    description: 'With --dry-run: write the plan to a file, for review and --apply-plan.',
  }),
  'apply-plan': Flags.string({
    exclusive: flagsOfPlan,
    helpValue: 'PATH',
    description: 'Send exactly this plan; nothing if a record changed since it was made (exit 10).',
  }),
  'plan-digest': Flags.string({
    dependsOn: ['apply-plan'],
    helpValue: 'HEX',
    description: 'With --apply-plan: the SHA-256 that plan show printed; another plan is refused (exit 3).',
  }),
})
