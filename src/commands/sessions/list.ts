import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SessionsList extends BaseCommand {
  static override summary = 'List sessions: who was logged in where, and when.'
  static override description =
    'A range longer than 31 days is read in windows. Without dates the service chooses the range, which is reported.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start -7d --machine PRS100001',
    "<%= config.bin %> <%= command.id %> --start 2024-01 --end 2024-06 --where 'loginWasSuccessful=false' -o csv",
  ]
  static override flags = readFlags('sessions.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(SessionsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('sessions.list', flags, this.context)
  }
}
