import {runArgs} from '../../cli/app/flags.js'
import {reconcileFlags} from '../../cli/recover/recover-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsReconcile extends BaseCommand {
  static override summary = 'Find out what became of sets in doubt, and finish those that are safe to resend.'
  static override description =
    'Reads the records back, repeatedly until a delayed write can no longer arrive. What is proven is recorded; what only a person can decide is shown with its rows and a command that shows their records. Alerts without OnlyOneExists are resent only with --resend-after-settle.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest',
    '<%= config.bin %> <%= command.id %> 1c84f --settle 300',
    '<%= config.bin %> <%= command.id %> 1c84f --assume not-applied --yes',
    '<%= config.bin %> <%= command.id %> 1c84f --dry-run --json',
  ]
  static override args = runArgs
  static override flags = reconcileFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsReconcile)
    const {reconcileRun} = await import('../../cli/recover/reconcile-run.js')
    await reconcileRun(args.id, flags, this.context)
  }
}
