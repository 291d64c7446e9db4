import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AccountsList extends BaseCommand {
  static override summary = 'List accounts.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 1',
    '<%= config.bin %> <%= command.id %> -o csv --output-file accounts.csv',
  ]
  static override flags = readFlags('accounts.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(AccountsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('accounts.list', flags, this.context)
  }
}
