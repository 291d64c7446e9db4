import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ProductsList extends BaseCommand {
  static override summary = 'List products.'
  static override description = 'The fields of a product depend on the service; id and name are always columns.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~cola' -o csv",
  ]
  static override flags = readFlags('products.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(ProductsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('products.list', flags, this.context)
  }
}
