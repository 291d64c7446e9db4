import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsShow extends BaseCommand {
  static override summary = 'Show what a run did, the state of every set of a write, and what to do next.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f --verbose',
    '<%= config.bin %> <%= command.id %> 1c84f --json',
  ]
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Run id (or its first or last characters), or `latest`.',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsShow)
    const {runFolderOf} = await import('../../cli/write/find-run.js')
    const {showRun} = await import('../../cli/runs/runs-show.js')
    const shown = showRun(runFolderOf(this.environment), args.id, flags)
    for (const {message} of shown.errors ?? []) this.messages.tell(`error: ${message}`)
    await this.present(shown)
  }
}
