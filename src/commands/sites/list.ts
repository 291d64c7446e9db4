import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SitesList extends BaseCommand {
  static override summary = 'List sites.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --account 7 --columns id,name,maxChargePrice',
    "<%= config.bin %> <%= command.id %> --where 'maxChargePrice>=500' --where 'name~Mill'",
    '<%= config.bin %> <%= command.id %> --include-deleted -o csv --output-file sites.csv',
  ]
  static override flags = readFlags('sites.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('sites.list', flags, this.context)
  }
}
