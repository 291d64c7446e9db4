import {readCommand} from '../../cli/start/read-command.js'

export default class RolesList extends readCommand('roles.list') {
  static override description = 'The roles of every organization that you may access.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~driver'",
  ]
}
