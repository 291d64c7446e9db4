import {writeCommand} from '../../cli/start/write-command.js'

export default class SelectionsAdjust extends writeCommand('selections.adjust') {
  static override description =
    'The file has the columns selectionId and delta. A set that was sent without an answer is never sent again before the adjustments of the service show that it was not applied.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 9001 --set delta=5',
    '<%= config.bin %> <%= command.id %> --file restock.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file restock.csv --yes',
  ]
}
