import {readCommand} from '../../cli/start/read-command.js'

export default class SitesList extends readCommand('sites.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --account 7 --columns id,name,maxChargePrice',
    "<%= config.bin %> <%= command.id %> --where 'maxChargePrice>=500' --where 'name~Mill'",
    '<%= config.bin %> <%= command.id %> --include-deleted -o csv --output-file sites.csv',
  ]
}
