import {Args} from '@oclif/core'
import {jobsFlags, notifyFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class NotifyTest extends BaseCommand {
  static override summary = 'Send a start, a success and a failure for real, and show what came back.'
  static override description =
    'Tests the addresses and commands of the flags, of the variables, or of a job. What watches them sees a failure until the next success.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --notify-url https://hc-ping.com/your-uuid',
    "<%= config.bin %> <%= command.id %> --notify-command '/srv/tell-operations.sh night'",
    '<%= config.bin %> <%= command.id %> nightly',
  ]
  static override args = {
    job: Args.string({ignoreStdin: true, description: 'Name of a job, whose notification is tested.'}),
  }
  static override flags = {...jobsFlags, ...notifyFlags}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(NotifyTest)
    const {testNotification} = await import('../../cli/jobs/test-notification.js')
    await testNotification(args.job, flags, this.context)
  }
}
