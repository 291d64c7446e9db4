import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, writeFlags} from '../../cli/write/write-flags.js'

export default class SitesDelete extends BaseCommand {
  static override summary = 'Delete sites: from a file, by id, or those that filters choose.'
  static override description =
    'The file needs the column id; an exported list of sites works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1014',
    '<%= config.bin %> <%= command.id %> --file closed.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file closed.csv --confirm-count 12',
  ]
  static override args = chosenArgs
  static override flags = writeFlags('sites.delete')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SitesDelete)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('sites.delete', flags, this.context, args.ids)
  }
}
