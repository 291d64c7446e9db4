import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class SitesDelete extends BaseCommand {
  static override summary = 'Delete sites that a file names.'
  static override description =
    'The file needs the column id; an exported list of sites works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file closed.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file closed.csv --confirm-count 12',
  ]
  static override flags = writeFlags('sites.delete')

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesDelete)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('sites.delete', flags, this.context)
  }
}
