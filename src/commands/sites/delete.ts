import {writeCommand} from '../../cli/start/write-command.js'

export default class SitesDelete extends writeCommand('sites.delete') {
  static override description =
    'The file needs the column id; an exported list of sites works. Deletions are confirmed by their number: typed on a terminal, with --confirm-count elsewhere.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1014',
    '<%= config.bin %> <%= command.id %> --file closed.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file closed.csv --confirm-count 12',
  ]
}
