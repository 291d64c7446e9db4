import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {outputFlags} from '../../cli/app/flags.js'

export default class RunsExport extends BaseCommand {
  static override summary = 'Write the journal of a run into one file, for another machine to go on with.'
  static override description =
    'From then on nothing is sent for the run here, until runs import takes the file back. The file holds the records that were sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest run.journal',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f /mnt/cache/run.journal --overwrite',
  ]
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Id of the run, its beginning or its end, or latest.',
    }),
    file: Args.string({required: true, ignoreStdin: true, description: 'File to write; it appears when it is whole.'}),
  }
  static override flags = {overwrite: outputFlags.overwrite}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsExport)
    const {runFolderOf} = await import('../../cli/runs/run-record.js')
    const {giveAway} = await import('../../cli/runs/runs-transfer.js')
    const {commandLine} = await import('../../core/command-line.js')
    const folder = runFolderOf(this.environment)
    const {id, file, isOpen} = await giveAway(folder, args.id, args.file, flags.overwrite ?? false)
    const step = `Go on with it by: ${commandLine('runs import', [args.file])}`
    const next = isOpen ? step : 'It is done: nothing is left to send.'
    this.messages.note(`${args.file}: run ${id} of ${file}. ${next}`)
    await this.present({data: {id, file: args.file}, runId: id})
  }
}
