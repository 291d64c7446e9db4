import {readCommand} from '../../cli/start/read-command.js'

export default class ReportsMetadata extends readCommand('reports.metadata') {
  static override description =
    'A range longer than a year is read in windows. Without dates the service chooses the range, which is reported.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start 2024-07 --end 2024-07 -o ndjson',
    '<%= config.bin %> <%= command.id %> --transaction B1467 -o json',
  ]
}
