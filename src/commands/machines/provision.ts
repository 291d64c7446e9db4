import {BaseCommand} from '../../cli/start/base-command.js'
import {provisionFlags} from '../../cli/write/write-flags.js'

export default class MachinesProvision extends BaseCommand {
  static override summary = 'Provision machines by their PROSE serials, one by one.'
  static override description =
    'One request for each machine, which the service counts against a daily limit of its own: once that is used up the run stops with exit 8, and runs resume sends the rest the next day. The machines go to the default site of the organization. A file needs the column prose.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file prose.csv --organization 2 --dry-run',
    '<%= config.bin %> <%= command.id %> --file prose.csv --organization 2 --yes',
    '<%= config.bin %> <%= command.id %> --machine PRS100001,PRS100002 --organization 2',
  ]
  static override flags = provisionFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesProvision)
    const {provision} = await import('../../cli/write/machine-writes.js')
    await provision({operation: 'machines.provision', read: 'machines.list'}, flags, this.context)
  }
}
