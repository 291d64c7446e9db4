import {Args} from '@oclif/core'
import {runFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class JobsRun extends BaseCommand {
  static override summary = 'Run jobs of the jobs file, one after the other.'
  static override description =
    'Stops at the first job that fails, with its exit code. A job that runs already, or writes the same file, is locked (13).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> nightly',
    '<%= config.bin %> <%= command.id %> nightly copy --keep-going',
  ]
  static override args = {
    names: Args.string({ignoreStdin: true, multiple: true, description: 'Names of jobs, in the order to run them.'}),
  }
  static override flags = runFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(JobsRun)
    const {runJobs} = await import('../../cli/jobs/run-jobs.js')
    await runJobs(args.names ?? [], flags, this.context)
  }
}
