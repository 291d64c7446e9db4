import {BaseCommand} from '../../../cli/start/base-command.js'
import {writeFlags} from '../../../cli/write/write-flags.js'

export default class MachinesSettingsSet extends BaseCommand {
  static override summary = 'Set settings of machines from a file.'
  static override description =
    'The file has the columns machineId, type and settings. An update retires the record in force and makes a new one, so its id changes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file settings.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file settings.csv --yes',
  ]
  static override flags = writeFlags('machines.settings.set')

  async run(): Promise<void> {
    const {flags} = await this.parse(MachinesSettingsSet)
    const {writeFromFile} = await import('../../../cli/write/write-from-file.js')
    await writeFromFile('machines.settings.set', flags, this.context)
  }
}
