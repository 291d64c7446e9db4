import {Flags} from '@oclif/core'
import {grouped} from '../app/flags.js'

/** Of everything that a scheduler starts: exports, bulk writes, jobs. */
export const metricsFlags = grouped('CRON', {
  'metrics-file': Flags.string({
    helpValue: 'FILE.prom',
    description: 'Write how the run ended for the textfile collector of the Prometheus node exporter, readable by all.',
  }),
  'metrics-name': Flags.string({
    helpValue: 'NAME',
    description: 'Label of this run in the metrics file; by default the name of --since-last, else the command.',
  }),
})

/** Flags of commands that run unattended. The program reads them before a command is loaded, and starts it without them. */
export const notifyFlags = grouped('CRON', {
  'notify-url': Flags.string({
    helpValue: 'URL',
    description:
      'Report to this address, as healthchecks takes it: URL/start, URL on success, URL/EXITCODE on failure, with the last messages. VENDORCTL_NOTIFY_URL_FILE names a file that holds it.',
  }),
  'notify-command': Flags.string({
    helpValue: 'CMD',
    description: 'Start this command, without a shell, with the same report as JSON on its standard input.',
  }),
})
