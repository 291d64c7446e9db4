import {Args} from '@oclif/core'
import {ReconcileCommand} from '../../cli/recover/reconcile-command.js'
import {reconcileFlags} from '../../cli/recover/reconcile-flags.js'

export default class RunsReconcile extends ReconcileCommand {
  static override summary = 'Find out what became of sets in doubt, and finish those that may be sent again.'
  static override description =
    'Looks at the records at once, and again until a lost write could have come no later. What is proven is kept; what only a person can tell is shown with the rows and a command that shows their records. Alerts without OnlyOneExists are sent again only with --resend-after-settle.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest',
    '<%= config.bin %> <%= command.id %> 1c84f --settle 300',
    '<%= config.bin %> <%= command.id %> 1c84f --assume not-applied --yes',
    '<%= config.bin %> <%= command.id %> 1c84f --dry-run --json',
  ]
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Id of the run, its beginning or its end, or latest.',
    }),
  }
  static override flags = reconcileFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsReconcile)
    await this.reconcile(args.id, flags)
  }
}
