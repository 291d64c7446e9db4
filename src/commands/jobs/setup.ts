import {Args} from '@oclif/core'
import {jobsFlags, schedulerNames, setupFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class JobsSetup extends BaseCommand {
  static override summary = 'Print or install what starts a job every day.'
  static override description = 'GitHub Actions runs on UTC time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> cron nightly --at 02:10',
    '<%= config.bin %> <%= command.id %> systemd nightly --at 02:10 --install',
    '<%= config.bin %> <%= command.id %> cron nightly --remove',
    '<%= config.bin %> <%= command.id %> kubernetes nightly --at 02:10 --image vendorctl:0.1',
  ]
  static override args = {
    scheduler: Args.option({options: schedulerNames, ignoreStdin: true, description: 'What starts it.'})({
      required: true,
    }),
    name: Args.string({required: true, ignoreStdin: true, description: 'Job of the jobs file.'}),
  }
  static override flags = {...setupFlags, ...jobsFlags}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(JobsSetup)
    const {setUpJob} = await import('../../cli/jobs/set-up-job.js')
    await setUpJob({...args, ...flags}, this.config.root, this.context)
  }
}
