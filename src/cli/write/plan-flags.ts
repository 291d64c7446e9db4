import {Flags} from '@oclif/core'
import {clientFlags, grouped} from '../app/flags.js'

/** Flags whose values a plan holds, so that they are not accepted with it. */
const heldByPlan = [
  'set-size',
  'atomic',
  'on-error',
  'bisect-budget',
  'canary',
  'map',
  'map-file',
  'match',
  'lookup',
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
    exclusive: heldByPlan,
    helpValue: 'PATH',
    description: 'Send exactly this plan; nothing if a record changed since it was made (exit 10).',
  }),
  'plan-digest': Flags.string({
    dependsOn: ['apply-plan'],
    helpValue: 'HEX',
    description: 'With --apply-plan: the SHA-256 that plan show printed; another plan is refused (exit 3).',
  }),
})
