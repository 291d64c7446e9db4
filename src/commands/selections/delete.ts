import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class SelectionsDelete extends BaseCommand {
  static override summary = 'Delete selections that a file names.'
  static override description =
    'The file needs the column id; an exported list of selections works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file old.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file old.csv --confirm-count 12',
  ]
  static override flags = writeFlags('selections.delete')

  async run(): Promise<void> {
    const {flags} = await this.parse(SelectionsDelete)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('selections.delete', flags, this.context)
  }
}
