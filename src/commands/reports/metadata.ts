import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ReportsMetadata extends BaseCommand {
  static override summary = 'List tags and files that are linked to transactions.'
  static override description =
    'A range longer than a year is read in windows. Without dates the service chooses the range, which is reported.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start 2024-07 --end 2024-07 -o ndjson',
    '<%= config.bin %> <%= command.id %> --transaction B1467 -o json',
  ]
  static override flags = readFlags('reports.metadata')

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsMetadata)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('reports.metadata', flags, this.context)
  }
}
