import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class SitesUpdate extends BaseCommand {
  static override summary = 'Update sites from a file.'
  static override description =
    'The file needs the column id and the columns to change. Other fields keep their values, because the current sites are read first. An empty cell keeps its field, \\N sets it to null.'
  static override examples = [
    '<%= config.bin %> sites list --account 7 --columns id,name,maxChargePrice -o csv --output-file sites.csv',
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --max-records 300 --yes',
  ]
  static override flags = writeFlags('sites.update')

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesUpdate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('sites.update', flags, this.context)
  }
}
