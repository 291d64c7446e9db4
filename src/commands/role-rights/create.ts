import {writeCommand} from '../../cli/start/write-command.js'

export default class RoleRightsCreate extends writeCommand('role-rights.create') {
  static override description = 'The file has the columns roleId, rightId, canView, canEdit and canExecute.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file rights.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file rights.csv --yes',
  ]
}
