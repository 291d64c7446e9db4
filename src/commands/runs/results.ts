import {runArgs} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsResults extends BaseCommand {
  static override summary = 'Print every row of a run with its fate.'
  static override description =
    'Shows the columns of the input file if it is unchanged, else the fields that were sent; then _line, _fate, _id, _code and _message.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest -o csv --output-file results.csv',
    '<%= config.bin %> <%= command.id %> latest --where _fate=refused',
  ]
  static override args = runArgs
  static override flags = recordFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsResults)
    const {findRun} = await import('../../activities/what-ran.js')
    const {runFolderOf} = await import('../../cli/write/own-runs.js')
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {openResults} = await import('../../runs/report/run-results.js')
    const folder = runFolderOf(this.environment)
    const id = findRun(folder, args.id)
    const {source, ...shown} = await openResults(folder, id)
    this.messages.detail(source)
    await presentRecords(flags, this.context, {resource: 'result', runId: id, ...shown})
  }
}
