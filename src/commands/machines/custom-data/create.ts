import {BaseCommand} from '../../../cli/start/base-command.js'
import {writeFlags} from '../../../cli/write/write-flags.js'

export default class MachinesCustomDataCreate extends BaseCommand {
  static override summary = 'Create machine custom data from a file.'
  static override description = 'One record per machine and key; a record that already exists is refused.'
  static override examples = [
    '<%= config.bin %> contract show machines.custom-data.create --format csv-template > custom-data.csv',
    '<%= config.bin %> <%= command.id %> --file custom-data.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file custom-data.csv --set-size 100 --yes',
  ]
  static override flags = writeFlags('machines.custom-data.create')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesCustomDataCreate)
    const {writeFromFile} = await import('../../../cli/write/write-from-file.js')
    await writeFromFile('machines.custom-data.create', flags, this.context)
  }
}
