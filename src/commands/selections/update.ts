import {writeCommand} from '../../cli/start/write-command.js'

export default class SelectionsUpdate extends writeCommand('selections.update') {
  static override description =
    'They come from a file, are named by id, or are chosen by filters. The file needs the columns that name the selection and the columns to change. Other fields keep their values. Where the file has no count, the count that is read right before a set is sent goes with it, because the service sets the count too. Machines pick the change up at their next check-in, typically within 45 minutes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --site 12,13 --change price=+5% --round 0.05 --dry-run',
    '<%= config.bin %> <%= command.id %> 9001 --change price=+0.10',
    '<%= config.bin %> <%= command.id %> --file prices.csv --match machineId,selectionNumber --set price=1.50 --dry-run',
    '<%= config.bin %> <%= command.id %> --file prices.csv --yes',
  ]
}
