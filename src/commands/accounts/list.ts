import {ReadCommand} from '../../cli/read/read-command.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'

export default class AccountsList extends ReadCommand {
  static override summary = 'List accounts.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 1',
    '<%= config.bin %> <%= command.id %> -o csv --output-file accounts.csv',
  ]
  static override flags = readFlags('accounts.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(AccountsList)
    await this.read('accounts.list', flags as ReadFlags)
  }
}
