import {runArgs} from '../../cli/app/flags.js'
import {undoFlags} from '../../cli/recover/recover-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsUndo extends BaseCommand {
  static override summary = 'Undo the changes of a run.'
  static override description =
    'Restores only fields that an update changed, and only where nobody changed them since. Stock is changed by the opposite number, where the report of changes shows the change of the run. Created sites, selections and role rights are deleted, unless somebody changed them since or machines were moved to them; --confirm-count confirms that. Rows that stay are named (exit 10). Cleared alerts and what else no route undoes stay.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest --dry-run',
    '<%= config.bin %> <%= command.id %> 20260131-174502-4f2a --skip-changed',
    '<%= config.bin %> <%= command.id %> latest --confirm-count 12',
  ]
  static override args = runArgs
  static override flags = undoFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsUndo)
    const {undoRun} = await import('../../cli/recover/undo-run.js')
    await undoRun(args.id, flags, this.context)
  }
}
