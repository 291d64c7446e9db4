import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class SitesCreate extends BaseCommand {
  static override summary = 'Create sites from a file, or one with --set.'
  static override description = 'The complete file is checked before anything is sent.'
  static override examples = [
    '<%= config.bin %> contract show sites.create --format csv-template > sites.csv',
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --set-size 10 --yes',
  ]
  static override flags = writeFlags('sites.create')

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesCreate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('sites.create', flags, this.context)
  }
}
