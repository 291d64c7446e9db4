import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

/** For work that may need more requests than are left of the day. */
export const untilQuotaFlag = Flags.boolean({
  env: env('until-quota'),
  helpGroup: 'SERVICE',
  description: "Do as much as today's remaining requests allow, then exit 8.",
})
