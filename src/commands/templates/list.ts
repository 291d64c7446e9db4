import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class TemplatesList extends BaseCommand {
  static override summary = 'List templates.'
  static override description = 'A template is a planogram: what it sets shows: templates selections.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~snack'",
  ]
  static override flags = readFlags('templates.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(TemplatesList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('templates.list', flags, this.context)
  }
}
