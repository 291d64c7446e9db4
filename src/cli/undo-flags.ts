import {Flags} from '@oclif/core'
import {writeFlags} from './bulk-flags.js'
import {environmentName as env} from './flags.js'

/** Flags of taking a run back. */
export const undoFlags = {
  'skip-changed': Flags.boolean({
    env: env('skip-changed'),
    helpGroup: 'SENDING',
    description: 'Leave out rows that somebody changed since the run, and undo the others.',
  }),
  ...writeFlags,
}
