import {jobsFlags} from '../../cli/jobs/jobs-flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class JobsList extends BaseCommand {
  static override summary = 'List the jobs of the jobs file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --jobs-file ./jobs.yaml -o json',
  ]
  static override flags = {...jobsFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(JobsList)
    const {listJobs} = await import('../../cli/jobs/list-jobs.js')
    await listJobs(flags, this.context)
  }
}
