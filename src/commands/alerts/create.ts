import {writeCommand} from '../../cli/start/write-command.js'

export default class AlertsCreate extends writeCommand('alerts.create') {
  static override description =
    'Times are sent as UTC; an alert without raisedAt is raised now. Organization, account and site are those of the machine.'
  static override examples = [
    '<%= config.bin %> contract show alerts.create --format csv-template > alerts.csv',
    "<%= config.bin %> <%= command.id %> --set machineId=5001 --set code=NS --set message='No sales'",
    '<%= config.bin %> <%= command.id %> --file alerts.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --yes',
  ]
}
