import {BulkCommand} from '../../cli/write/bulk-command.js'
import type {BulkFlagValues} from '../../cli/write/bulk-consent.js'
import {bulkFlags} from '../../cli/write/bulk-flags.js'

export default class SitesCreate extends BulkCommand {
  static override summary = 'Create sites from a file.'
  static override description = 'The complete file is checked before the first row is sent.'
  static override examples = [
    '<%= config.bin %> contract show sites.create --format csv-template > sites.csv',
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --set-size 10 --yes',
  ]
  static override flags = bulkFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesCreate)
    await this.write('sites.create', flags as BulkFlagValues)
  }
}
