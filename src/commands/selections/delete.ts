import {writeCommand} from '../../cli/start/write-command.js'

export default class SelectionsDelete extends writeCommand('selections.delete') {
  static override description =
    'The file needs the column id; an exported list of selections works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 --where price=0 --dry-run',
    '<%= config.bin %> <%= command.id %> --file old.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file old.csv --confirm-count 12',
  ]
}
