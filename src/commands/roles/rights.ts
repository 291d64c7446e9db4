import {readCommand} from '../../cli/start/read-command.js'

export default class RolesRights extends readCommand('roles.rights') {
  static override description = 'One row for each machine and right.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 -o table',
    '<%= config.bin %> <%= command.id %> --role 3 --machine @route7.txt -o csv',
  ]
}
