import {readCommand} from '../../cli/start/read-command.js'

export default class OrganizationsList extends readCommand('organizations.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --columns id,name',
    "<%= config.bin %> <%= command.id %> --where 'timeZone~Pacific' -o csv",
  ]
}
