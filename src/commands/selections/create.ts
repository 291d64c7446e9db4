import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class SelectionsCreate extends BaseCommand {
  static override summary = 'Create selections from a file, or one with --set.'
  static override description =
    'Every column of a selection but the nullable ones is required. Machines pick the change up at their next check-in, typically within 45 minutes.'
  static override examples = [
    '<%= config.bin %> contract show selections.create --format csv-template',
    '<%= config.bin %> <%= command.id %> --file selections.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file selections.csv --set freeCount=0',
  ]
  static override flags = writeFlags('selections.create')

  async run(): Promise<void> {
    const {flags} = await this.parse(SelectionsCreate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('selections.create', flags, this.context)
  }
}
