import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class AlertsCreate extends BaseCommand {
  static override summary = 'Create alerts from a file, or one with --set.'
  static override description =
    'Times are sent as UTC; an alert without raisedAt is raised now. Organization, account and site are those of the machine.'
  static override examples = [
    '<%= config.bin %> contract show alerts.create --format csv-template > alerts.csv',
    "<%= config.bin %> <%= command.id %> --set machineId=5001 --set code=NS --set message='No sales'",
    '<%= config.bin %> <%= command.id %> --file alerts.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --yes',
  ]
  static override flags = writeFlags('alerts.create')

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsCreate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('alerts.create', flags, this.context)
  }
}
