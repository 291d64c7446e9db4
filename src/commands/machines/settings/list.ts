import {readFlags} from '../../../cli/read/read-flags.js'
import {BaseCommand} from '../../../cli/start/base-command.js'

export default class MachinesSettingsList extends BaseCommand {
  static override summary = 'List settings of machines, retired ones included.'
  static override description =
    'An update retires the record in force and makes a new one, so old ones stay listed with isCurrent false.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --machine PRS100001 --where 'isCurrent=true'",
    '<%= config.bin %> <%= command.id %> --machine @route7.txt -o csv',
  ]
  static override flags = readFlags('machines.settings.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesSettingsList)
    const {listRecords} = await import('../../../cli/read/list-records.js')
    await listRecords('machines.settings.list', flags, this.context)
  }
}
