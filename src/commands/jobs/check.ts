import {jobsFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class JobsCheck extends BaseCommand {
  static override summary = 'Check the jobs file.'
  static override description = 'Offline. Every problem is shown with its line and column; exits 3 if there are any.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --jobs-file ./jobs.yaml',
  ]
  static override flags = jobsFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(JobsCheck)
    const {checkJobs} = await import('../../cli/jobs/check-jobs.js')
    await checkJobs(flags, this.context)
  }
}
