import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class TemplatesSelections extends BaseCommand {
  static override summary = 'List what templates set: product, price and levels of each selection.'
  static override description = 'One row for each selection number of a template.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --template 412 -o table',
    '<%= config.bin %> <%= command.id %> --template 412 -o csv --output-file template.csv',
  ]
  static override flags = readFlags('templates.selections')

  async run(): Promise<void> {
    const {flags} = await this.parse(TemplatesSelections)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('templates.selections', flags, this.context)
  }
}
