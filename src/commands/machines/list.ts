import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class MachinesList extends BaseCommand {
  static override summary = 'List machines.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --site 12,13 --columns id,name,lastHeartBeat.server',
    '<%= config.bin %> <%= command.id %> --machine @machines.txt -o csv',
  ]
  static override flags = readFlags('machines.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('machines.list', flags, this.context)
  }
}
