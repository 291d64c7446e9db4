import {runArgs, showViewFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsShow extends BaseCommand {
  static override summary = 'Show what a run did, the state of every set of a write, and what to do next.'
  static override description =
    'As html or markdown it is a page for others: who, when, from which file, what became of each row and why, old and new values. At most 5,000 rows are on it; runs results has all.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f --verbose',
    '<%= config.bin %> <%= command.id %> 1c84f --json',
    '<%= config.bin %> <%= command.id %> latest --output-file run.html',
  ]
  static override args = runArgs
  static override flags = showViewFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsShow)
    const {showRun} = await import('../../cli/runs/runs-show.js')
    await showRun(args.id, flags, this.context)
  }
}
