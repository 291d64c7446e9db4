import {ReadCommand} from '../../cli/read/read-command.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'

export default class MachinesList extends ReadCommand {
  static override summary = 'List machines.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --site 12,13 --columns id,name,lastHeartBeat.server',
    '<%= config.bin %> <%= command.id %> --machine @machines.txt -o csv',
  ]
  static override flags = readFlags('machines.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesList)
    await this.read('machines.list', flags as ReadFlags)
  }
}
