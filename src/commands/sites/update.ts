import {writeCommand} from '../../cli/start/write-command.js'

export default class SitesUpdate extends writeCommand('sites.update') {
  static override description =
    'The file needs the column id and the columns to change. Other fields keep their values, because the current sites are read first. An empty cell keeps its field, \\N sets it to null.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1014 --set maxChargePrice=800',
    '<%= config.bin %> <%= command.id %> --account 7 --set maxChargePrice=500 --dry-run',
    '<%= config.bin %> sites list --account 7 --columns id,name,maxChargePrice -o csv --output-file sites.csv',
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --max-records 300 --yes',
  ]
}
