import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, writeFlags} from '../../cli/write/write-flags.js'

export default class SelectionsDelete extends BaseCommand {
  static override summary = 'Delete selections: from a file, by id, or those that filters choose.'
  static override description =
    'The file needs the column id; an exported list of selections works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 --where price=0 --dry-run',
    '<%= config.bin %> <%= command.id %> --file old.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file old.csv --confirm-count 12',
  ]
  static override args = chosenArgs
  static override flags = writeFlags('selections.delete')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SelectionsDelete)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('selections.delete', flags, this.context, args.ids)
  }
}
