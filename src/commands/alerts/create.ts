import {BulkCommand} from '../../cli/write/bulk-command.js'
import type {BulkFlagValues} from '../../cli/write/bulk-consent.js'
import {bulkFlags} from '../../cli/write/bulk-flags.js'

export default class AlertsCreate extends BulkCommand {
  static override summary = 'Create alerts from a file.'
  static override description =
    'Times are sent as UTC; an alert without raisedAt is raised now. Organization, account and site are those of the machine.'
  static override examples = [
    '<%= config.bin %> contract show alerts.create --format csv-template > alerts.csv',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --yes',
  ]
  static override flags = bulkFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsCreate)
    await this.write('alerts.create', flags as BulkFlagValues)
  }
}
