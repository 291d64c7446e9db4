import {readCommand} from '../../../cli/start/read-command.js'

export default class MachinesSettingsList extends readCommand('machines.settings.list') {
  static override description =
    'An update retires the record in force and makes a new one, so old ones stay listed with isCurrent false.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --machine PRS100001 --where 'isCurrent=true'",
    '<%= config.bin %> <%= command.id %> --machine @route7.txt -o csv',
  ]
}
