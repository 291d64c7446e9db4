import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SessionsEvents extends BaseCommand {
  static override summary = 'List what happened in sessions.'
  static override description = 'Dates are those of logging. A range longer than 31 days is read in windows.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --session 9001 --start -30d',
    '<%= config.bin %> <%= command.id %> --start 2024-01 --end 2024-06 -o csv',
  ]
  static override flags = readFlags('sessions.events')

  async run(): Promise<void> {
    const {flags} = await this.parse(SessionsEvents)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('sessions.events', flags, this.context)
  }
}
