import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'
import {writeFlags} from '../write/bulk-flags.js'

/** Flags of taking a run back. */
export const undoFlags = {
  'skip-changed': Flags.boolean({
    env: env('skip-changed'),
    helpGroup: 'SENDING',
    description: 'Skip rows that somebody changed since the run, and undo the others.',
  }),
  ...writeFlags,
}
