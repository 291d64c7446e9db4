import {Args} from '@oclif/core'
import type {ReadFlags} from '../../cli/read/read-flags.js'
import {recordFlags} from '../../cli/read/record-flags.js'
import {RecordsCommand} from '../../cli/read/records-command.js'

export default class RunsResults extends RecordsCommand {
  static override summary = 'Print every row of a run with its fate.'
  static override description =
    'With the columns of the input file while that is as it was, else with the fields that were sent; then _line, _fate, _id, _code, _message.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest -o csv --output-file results.csv',
    '<%= config.bin %> <%= command.id %> latest --where _fate=refused',
  ]
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Id of the run, its beginning or its end, or latest.',
    }),
  }
  static override flags = recordFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsResults)
    const {runFolderOf} = await import('../../cli/runs/run-record.js')
    const {openResults} = await import('../../cli/runs/runs-results.js')
    const {source, ...shown} = await openResults(runFolderOf(this.environment), args.id)
    this.messages.detail(source)
    await this.presentRecords(flags as ReadFlags, shown)
  }
}
