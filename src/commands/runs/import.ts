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
    const {runFolderOf} = await import('../../cli/runs/run-folder.js')
    const {importRun} = await import('../../cli/runs/runs-transfer.js')
    const {id, command, file, profile, isOpen} = await importRun(runFolderOf(this.environment), args.file)
    this.messages.note(
      `Run ${id}: ${command} from ${file}, profile ${profile}. See it with: ${commandLine('runs show', [id])}`,
    )
    this.messages.note(
      isOpen
        ? 'Resume it here only: a machine that imported the same file before does not know of this.'
        : 'Nothing is left to send.',
    )
    await this.present({data: {id, command, file, profile}, runId: id})
  }
}
