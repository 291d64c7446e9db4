import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

/** Of everything that a scheduler starts: exports, bulk writes, jobs. */
export const metricsFlags = {
  'metrics-file': Flags.string({
    env: env('metrics-file'),
    helpGroup: 'CRON',
    helpValue: 'FILE.prom',
    description: 'Write how the run ended for the textfile collector of the Prometheus node exporter, readable by all.',
  }),
  'metrics-name': Flags.string({
    env: env('metrics-name'),
    helpGroup: 'CRON',
    helpValue: 'NAME',
    description: 'Label of this run in the metrics file; by default the name of --since-last, else the command.',
  }),
}
