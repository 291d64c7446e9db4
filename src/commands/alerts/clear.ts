import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, selectionFlags} from '../../cli/write/write-flags.js'

export default class AlertsClear extends BaseCommand {
  static override summary = 'Clear alerts by id, from a file, or by filter.'
  static override description =
    'Also clears alerts that otherwise only the user interface can clear. Filters first find and count the open alerts that match. A file needs the column id; an exported list of alerts works.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4001 4002',
    '<%= config.bin %> <%= command.id %> --site 12 --code NS --dry-run',
    '<%= config.bin %> <%= command.id %> --site 12 --code NS --yes',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --max-records 100',
  ]
  static override args = chosenArgs
  static override flags = selectionFlags('alerts.list')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AlertsClear)
    const {clearAlerts} = await import('../../cli/write/clear-found-alerts.js')
    await clearAlerts({operation: 'alerts.clear', read: 'alerts.list'}, flags, this.context, args.ids)
  }
}
