import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {undoFlags} from '../../cli/recover/recover-flags.js'

export default class RunsUndo extends BaseCommand {
  static override summary = 'Undo the changes of a run.'
  static override description =
    'Works for updates. Restores only fields that the run changed, and only where nobody changed them since. Stock is changed by the opposite number, where the report of changes shows the change of the run. Created records and cleared alerts stay, because the service has no route to undo them. Rows whose earlier values are unknown also stay (exit 10).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest --dry-run',
    '<%= config.bin %> <%= command.id %> 20260131-174502-4f2a --skip-changed',
  ]
  static override args = {
    id: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'Run id (or its first or last characters), or `latest`.',
    }),
  }
  static override flags = undoFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsUndo)
    const {undoRun} = await import('../../cli/recover/undo-run.js')
    await undoRun(args.id, flags, this.context)
  }
}
