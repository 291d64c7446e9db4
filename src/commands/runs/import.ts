import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {commandLine} from '../../core/command-line.js'

export default class RunsImport extends BaseCommand {
  static override summary = 'Import a run that another machine exported.'
  static override description =
    'The waiting time of rows in doubt starts again. The profile of the run must exist here.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> run.journal',
    '<%= config.bin %> <%= command.id %> /mnt/cache/run.journal --json',
  ]
  static override args = {
    file: Args.string({required: true, ignoreStdin: true, description: 'File that runs export wrote.'}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(RunsImport)
    const {runFolderOf} = await import('../../cli/runs/run-record.js')
    const {takeOver} = await import('../../cli/runs/runs-transfer.js')
    const {id, command, file, profile, isOpen} = await takeOver(runFolderOf(this.environment), args.file)
    this.messages.note(
      `Run ${id}: ${command} from ${file}, profile ${profile}. See it with: ${commandLine('runs show', [id])}`,
    )
    this.messages.note(
      isOpen
        ? 'It goes on here. Where the same file was imported before, send nothing for it any more: that is not known here.'
        : 'It is done: nothing is left to send.',
    )
    await this.present({data: {id, command, file, profile}, runId: id})
  }
}
