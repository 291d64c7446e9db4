import {Flags} from '@oclif/core'
import {environmentName as env, type FlagValues} from '../app/flags.js'
import {metricsFlags} from './metrics-flags.js'
import {notifyFlags} from './notify-flags.js'

/** Flags of every command that reads the jobs file. */
export const jobsFlags = {
  'jobs-file': Flags.string({
    env: env('jobs-file'),
    helpValue: 'PATH',
    description: 'The jobs file; by default jobs.yaml in the config folder.',
  }),
}

/** Flags of `jobs run`. */
export const runFlags = {
  ...jobsFlags,
  'keep-going': Flags.boolean({
    env: env('keep-going'),
    description: 'Run the jobs after one that failed, too; the exit code is that of the first failure.',
  }),
  'metrics-file': metricsFlags['metrics-file'],
  ...notifyFlags,
}

export type JobsFlags = FlagValues<typeof jobsFlags>
export type RunFlags = FlagValues<typeof runFlags> & {verbose?: boolean | undefined}
