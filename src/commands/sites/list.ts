import {ReadCommand} from '../../cli/read/read-command.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'

export default class SitesList extends ReadCommand {
  static override summary = 'List sites.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --account 7 --columns id,name,maxChargePrice',
    '<%= config.bin %> <%= command.id %> --include-deleted -o csv --output-file sites.csv',
  ]
  static override flags = readFlags('sites.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesList)
    await this.read('sites.list', flags as ReadFlags)
  }
}
