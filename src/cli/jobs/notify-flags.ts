import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

const helpGroup = 'CRON'

/** Flags of commands that run unattended. The program reads them before a command is loaded, and starts it without them. */
export const notifyFlags = {
  'notify-url': Flags.string({
    env: env('notify-url'),
    helpGroup,
    helpValue: 'URL',
    description:
      'Report to this address, as healthchecks takes it: URL/start, URL on success, URL/EXITCODE on failure, with the last messages. VENDORCTL_NOTIFY_URL_FILE names a file that holds it.',
  }),
  'notify-command': Flags.string({
    env: env('notify-command'),
    helpGroup,
    helpValue: 'CMD',
    description: 'Start this command, without a shell, with the same report as JSON on its standard input.',
  }),
}
