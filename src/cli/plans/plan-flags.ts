import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

/** What a plan says itself, so that it is not said again when the plan is applied; flags of some commands only say so. */
const saidByPlan = [
  'set-size',
  'atomic',
  'on-error',
  'bisect-budget',
  'canary',
  'map',
  'map-file',
  'empty',
  'unknown-columns',
  'allow-damage',
  'plan-out',
]

/** A plan that is written by a dry run and applied later; of every bulk write. */
export const planFlags = {
  'plan-out': Flags.string({
    env: env('plan-out'),
    dependsOn: ['dry-run'],
    helpGroup: 'DRY RUN',
    helpValue: 'PATH',
    description: 'With --dry-run: write the plan to a file, for review and --apply-plan.',
  }),
  'apply-plan': Flags.string({
    env: env('apply-plan'),
    exclusive: saidByPlan,
    helpGroup: 'SENDING',
    helpValue: 'PATH',
    description: 'Send exactly this plan; nothing if a record changed since it was made (exit 10).',
  }),
}
