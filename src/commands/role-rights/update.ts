import {writeCommand} from '../../cli/start/write-command.js'

export default class RoleRightsUpdate extends writeCommand('role-rights.update') {
  static override description =
    'The file needs the column id and the flags to change. A role right whose three flags are all false is deleted by the service; deletions are counted and confirmed apart.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file rights.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file rights.csv --confirm-count 3 --yes',
  ]
  static override args = {}
}
