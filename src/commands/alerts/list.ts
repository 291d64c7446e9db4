import {BaseCommand} from '../../cli/app/base-command.js'
import {readFlags} from '../../cli/read/read-flags.js'

export default class AlertsList extends BaseCommand {
  static override summary = 'List alerts.'
  static override description = 'Without dates the service chooses the range, which is reported.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --code NS --where 'isCleared=false' --where 'raisedAt>=-2d'",
    '<%= config.bin %> <%= command.id %> --start -7d -o csv --output-file alerts.csv',
  ]
  static override flags = readFlags('alerts.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('alerts.list', flags, this.context)
  }
}
