import {readCommand} from '../../cli/start/read-command.js'

export default class AccountsList extends readCommand('accounts.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 1',
    '<%= config.bin %> <%= command.id %> -o csv --output-file accounts.csv',
  ]
}
