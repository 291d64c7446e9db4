import {Args} from '@oclif/core'
import {UndoCommand} from '../../cli/recover/undo-command.js'
import {undoFlags} from '../../cli/recover/undo-flags.js'
import type {UndoFlagValues} from '../../cli/recover/undo-work.js'

export default class RunsUndo extends UndoCommand {
  static override summary = 'Take the changes of a run back.'
  static override description =
    'Of updates of sites and of messages of alerts. Only fields that the run changed go back, and only where nobody changed them since. What was created or cleared stays: the service has no way back. Rows of which it is not known how they were stay, too; exit code 10 says so.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest --dry-run',
    '<%= config.bin %> <%= command.id %> 20260131-174502-4f2a --skip-changed',
  ]
  static override args = {
    id: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'Id of the run, its beginning or its end, or latest.',
    }),
  }
  static override flags = undoFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsUndo)
    await this.undo(args.id, flags as UndoFlagValues)
  }
}
