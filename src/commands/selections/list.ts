import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SelectionsList extends BaseCommand {
  static override summary = 'List selections: product, price and stock of each place of a machine.'
  static override description =
    'Without filters it lists the selections of every machine that you may access. Stock is what the service knows; machines sell while you read.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 -o table',
    "<%= config.bin %> <%= command.id %> --site 12 --where 'count<=2' -o csv",
  ]
  static override flags = readFlags('selections.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(SelectionsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('selections.list', flags, this.context)
  }
}
