import {writeCommand} from '../../cli/start/write-command.js'

export default class MachinesUpdate extends writeCommand('machines.update') {
  static override description =
    'The file needs the column id and the columns to change. Other fields keep their values, because the current machines are read first. Another siteId moves the machine.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --where mode=Service --set mode=Live --dry-run',
    '<%= config.bin %> <%= command.id %> --file machines.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file machines.csv --match prose --yes',
  ]
}
