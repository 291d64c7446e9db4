import {BaseCommand} from '../../cli/app/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class MachinesProvision extends BaseCommand {
  static override summary = 'Provision machines by their PROSE serials, one by one.'
  static override description =
    'One request for each machine, which the service counts against a daily limit of its own. The machines go to the default site of the organization.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file prose.csv --organization 2 --dry-run',
    '<%= config.bin %> <%= command.id %> --file prose.csv --organization 2 --yes',
  ]
  static override flags = writeFlags('machines.provision')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesProvision)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('machines.provision', flags, this.context)
  }
}
