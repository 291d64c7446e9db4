import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

/** For work that may need more requests than are left of the day. */
export const untilQuotaFlag = Flags.boolean({
  env: env('until-quota'),
  helpGroup: 'SERVICE',
  description: 'Do what the requests that are left today allow, then stop with exit 8.',
})
