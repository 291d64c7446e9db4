import {writeCommand} from '../../cli/start/write-command.js'

export default class AlertsUpdate extends writeCommand('alerts.update') {
  static override description =
    'Only message, isCleared and clearedAt can change; other columns of an exported list are ignored. Times are sent as UTC. A cleared alert cannot be reopened.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --code CJ --set message='Coin jam, seen'",
    '<%= config.bin %> alerts list --code NS --columns id,message -o csv --output-file alerts.csv',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --yes',
  ]
}
