import {readCommand} from '../../cli/start/read-command.js'

export default class SessionsList extends readCommand('sessions.list') {
  static override description =
    'A range longer than 31 days is read in windows. Without dates the service chooses the range, which is reported.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start -7d --machine PRS100001',
    "<%= config.bin %> <%= command.id %> --start 2024-01 --end 2024-06 --where 'loginWasSuccessful=false' -o csv",
  ]
}
