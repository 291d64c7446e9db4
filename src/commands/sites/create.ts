import {writeCommand} from '../../cli/start/write-command.js'

export default class SitesCreate extends writeCommand('sites.create') {
  static override description = 'The complete file is checked before anything is sent.'
  static override examples = [
    '<%= config.bin %> contract show sites.create --format csv-template > sites.csv',
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --set-size 10 --yes',
  ]
}
