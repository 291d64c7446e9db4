import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, writeFlags} from '../../cli/write/write-flags.js'

export default class SelectionsAdjust extends BaseCommand {
  static override summary = 'Change stock by a difference: from a file, by id, or of those that filters choose.'
  static override description =
    'The file has the columns selectionId and delta. A set that was sent without an answer is never sent again before the adjustments of the service show that it was not applied.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 9001 --set delta=5',
    '<%= config.bin %> <%= command.id %> --file restock.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file restock.csv --yes',
  ]
  static override args = chosenArgs
  static override flags = writeFlags('selections.adjust')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SelectionsAdjust)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('selections.adjust', flags, this.context, args.ids)
  }
}
