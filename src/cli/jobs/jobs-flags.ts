import {Flags} from '@oclif/core'
import {environmentName as env, type FlagValues} from '../app/flags.js'
import {metricsFlags, notifyFlags} from './cron-flags.js'

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

/** The most used flags of the writes that `import` stands for, which take all others as well. */
export const importFlags = {
  ...jobsFlags,
  'dry-run': Flags.boolean({char: 'n', env: env('dry-run'), description: 'Check and show the plan; send no write.'}),
  yes: Flags.boolean({
    char: 'y',
    env: env('yes'),
    description: 'Skip the confirmation; required where nobody can be asked.',
  }),
}

/** The same of `lint`, for `import check`. */
export const checkFlags = {
  ...jobsFlags,
  fix: Flags.string({
    env: env('fix'),
    helpValue: 'PATH',
    description: 'Write a copy with every certain fix applied.',
  }),
  report: Flags.string({
    env: env('report'),
    helpValue: 'PATH',
    description: 'Write the rows to an .xlsx file: a column _problem in front, problem cells in colour.',
  }),
}

/** Flags of `import save`. */
export const saveFlags = {
  ...jobsFlags,
  overwrite: Flags.boolean({env: env('overwrite'), description: 'Replace a recipe of this name.'}),
}

export const schedulerNames = ['cron', 'systemd', 'github', 'kubernetes', 'windows'] as const

export type SchedulerName = (typeof schedulerNames)[number]

/** Flags of `jobs setup`. */
export const setupFlags = {
  at: Flags.string({
    env: env('at'),
    helpValue: 'HH:MM',
    description: 'Local time at which the job starts, such as 02:10.',
  }),
  image: Flags.string({
    env: env('image'),
    helpValue: 'IMAGE',
    description: 'Image of the program, for kubernetes.',
  }),
  install: Flags.boolean({
    env: env('install'),
    exclusive: ['remove'],
    description: 'Install it for this user.',
  }),
  remove: Flags.boolean({
    env: env('remove'),
    description: 'Remove what --install wrote, and nothing else.',
  }),
}

export type SaveFlags = FlagValues<typeof saveFlags>
export type JobsFlags = FlagValues<typeof jobsFlags>
export type RunFlags = FlagValues<typeof runFlags> & {verbose?: boolean | undefined}
