import {writeCommand} from '../../cli/start/write-command.js'

export default class SelectionsCreate extends writeCommand('selections.create') {
  static override description =
    'Every column of a selection but the nullable ones is required. Machines pick the change up at their next check-in, typically within 45 minutes.'
  static override examples = [
    '<%= config.bin %> contract show selections.create --format csv-template',
    '<%= config.bin %> <%= command.id %> --file selections.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file selections.csv --set freeCount=0',
  ]
}
