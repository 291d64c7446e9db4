import {readCommand} from '../../cli/start/read-command.js'

export default class SessionsEvents extends readCommand('sessions.events') {
  static override description = 'Dates are those of logging. A range longer than 31 days is read in windows.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --session 9001 --start -30d',
    '<%= config.bin %> <%= command.id %> --start 2024-01 --end 2024-06 -o csv',
  ]
}
