import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {outputFlags} from '../../cli/app/flags.js'

export default class RunsExport extends BaseCommand {
  static override summary = 'Export the journal of a run, to resume it on another machine.'
  static override description =
    'From then on the run cannot be resumed here, unless the file is imported again. The file contains the records that were sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest run.journal',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f /mnt/cache/run.journal --overwrite',
  ]
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Run id (or its first or last characters), or `latest`.',
    }),
    file: Args.string({required: true, ignoreStdin: true, description: 'File to write; appears when complete.'}),
  }
  static override flags = {overwrite: outputFlags.overwrite}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsExport)
    const {runFolderOf} = await import('../../cli/runs/run-folder.js')
    const {exportRun} = await import('../../cli/runs/runs-transfer.js')
    const {commandLine} = await import('../../core/command-line.js')
    const folder = runFolderOf(this.environment)
    const {id, file, isOpen} = await exportRun(folder, args.id, args.file, flags.overwrite ?? false)
    const step = `Resume it after: ${commandLine('runs import', [args.file])}`
    const next = isOpen ? step : 'Nothing is left to send.'
    this.messages.note(`${args.file}: run ${id} of ${file}. ${next}`)
    await this.present({data: {id, file: args.file}, runId: id})
  }
}
