import {writeCommand} from '../../../cli/start/write-command.js'

export default class MachinesSettingsSet extends writeCommand('machines.settings.set') {
  static override description =
    'The file has the columns machineId, type and settings. An update retires the record in force and makes a new one, so its id changes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file settings.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file settings.csv --yes',
  ]
}
