import {readCommand} from '../../cli/start/read-command.js'

export default class AlertsCodes extends readCommand('alerts.codes') {
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --where 'onlyOneExists=true'",
  ]
}
