import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AlertsCodes extends BaseCommand {
  static override summary = 'List alert codes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --where 'onlyOneExists=true'",
  ]
  static override flags = readFlags('alerts.codes')

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsCodes)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('alerts.codes', flags, this.context)
  }
}
