import {readCommand} from '../../cli/start/read-command.js'

export default class RoleRightsList extends readCommand('role-rights.list') {
  static override description = 'One row for each role and right, with its three flags.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --role 3 -o table',
    '<%= config.bin %> <%= command.id %> --role 3 -o csv --output-file rights.csv',
  ]
}
