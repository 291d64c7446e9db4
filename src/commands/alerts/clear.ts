import type {SelectionFlagValues} from '../../cli/write/bulk-consent.js'
import {selectionFlags} from '../../cli/write/bulk-flags.js'
import {ClearCommand} from '../../cli/write/clear-command.js'

export default class AlertsClear extends ClearCommand {
  static override summary = 'Clear alerts by id, from a file, or all open ones that filters find.'
  static override description =
    'Also clears alerts that otherwise only the user interface clears. Filters find open alerts first and show how many they are. A file needs a column id; an export of alerts will do.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --alert 4001,4002',
    '<%= config.bin %> <%= command.id %> --site 12 --code NS --dry-run',
    '<%= config.bin %> <%= command.id %> --site 12 --code NS --yes',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --max-records 100',
  ]
  static override flags = selectionFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsClear)
    await this.clear(flags as unknown as SelectionFlagValues)
  }
}
