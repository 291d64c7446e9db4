import {writeCommand} from '../../../cli/start/write-command.js'

export default class MachinesCustomDataCreate extends writeCommand('machines.custom-data.create') {
  static override description = 'One record per machine and key; a record that already exists is refused.'
  static override examples = [
    '<%= config.bin %> contract show machines.custom-data.create --format csv-template > custom-data.csv',
    '<%= config.bin %> <%= command.id %> --file custom-data.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file custom-data.csv --set-size 100 --yes',
  ]
}
