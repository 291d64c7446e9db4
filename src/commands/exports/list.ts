import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ExportsList extends BaseCommand {
  static override summary = 'List the names of --since-last: their marks, last files, and what is unfinished.'
  static override description =
    'One row for each name and each choice of filters and columns that it was used with. With a shared budget (`vendorctl help clusters`), those of all machines: `host` made the last run, `holder` is reading. Reads nothing from the service.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --where 'state=unfinished' --columns name,mark,unfinished,next -o csv",
  ]
  static override flags = recordFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(ExportsList)
    const {listNames} = await import('../../cli/reports/named-exports.js')
    await listNames(flags, this.context)
  }
}
