import {Args, Flags} from '@oclif/core'
import {type FlagValues, grouped, named} from '../app/flags.js'

/** Flags of everything that a scheduler starts: exports, bulk writes, jobs. */
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
      'Report to this address, as healthchecks takes it: URL/start, URL on success, URL/EXITCODE on failure, with the last messages. VENDORCTL_NOTIFY_URL_FILE names a file with it.',
  }),
  'notify-command': Flags.string({
    helpValue: 'CMD',
    description: 'Start this command, without a shell, with the same report as JSON on its standard input.',
  }),
})

/** Flags of every command that reads the jobs file. */
export const jobsFlags = named({
  'jobs-file': Flags.string({
    helpValue: 'PATH',
    description: 'The jobs file; by default jobs.yaml in the config folder.',
  }),
})

/** Flags of `jobs run`. */
export const runFlags = named({
  ...jobsFlags,
  'keep-going': Flags.boolean({
    description: 'Run the jobs after one that failed, too; the exit code is that of the first failure.',
  }),
  'metrics-file': metricsFlags['metrics-file'],
  ...notifyFlags,
})

/** The most used flags of the writes behind `import`, which take all others as well. */
export const importFlags = named({
  ...jobsFlags,
  'dry-run': Flags.boolean({char: 'n', description: 'Check and show the plan; send no write.'}),
  yes: Flags.boolean({char: 'y', description: 'Skip the confirmation; required where nobody can be asked.'}),
})

/** The most used flags of `lint` behind `import check`. */
export const checkFlags = named({
  ...jobsFlags,
  fix: Flags.string({helpValue: 'PATH', description: 'Write a copy with every certain fix applied.'}),
  report: Flags.string({
    helpValue: 'PATH',
    description: 'Write the rows to an .xlsx file: a column _problem in front, problem cells in colour.',
  }),
})

export const recipeArgs = {
  recipe: Args.string({required: true, ignoreStdin: true, description: 'Name of the recipe.'}),
  file: Args.string({required: true, ignoreStdin: true, description: 'CSV, TSV, JSON, NDJSON or xlsx file.'}),
}

/** Flags of `import save`. */
export const saveFlags = named({
  ...jobsFlags,
  overwrite: Flags.boolean({description: 'Replace a recipe of this name.'}),
})

export const schedulerNames = ['cron', 'systemd', 'github', 'kubernetes', 'windows'] as const

export type SchedulerName = (typeof schedulerNames)[number]

/** Flags of `jobs setup`. */
export const setupFlags = named({
  at: Flags.string({helpValue: 'HH:MM', description: 'Local time at which the job starts, such as 02:10.'}),
  image: Flags.string({helpValue: 'IMAGE', description: 'Image of the program, for kubernetes.'}),
  install: Flags.boolean({exclusive: ['remove'], description: 'Install it for this user.'}),
  remove: Flags.boolean({description: 'Remove what --install wrote, and nothing else.'}),
})

export type SaveFlags = FlagValues<typeof saveFlags>
export type JobsFlags = FlagValues<typeof jobsFlags>
export type RunFlags = FlagValues<typeof runFlags> & {verbose?: boolean | undefined}
