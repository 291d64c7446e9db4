import {readCommand} from '../../cli/start/read-command.js'

export default class SelectionsList extends readCommand('selections.list') {
  static override description =
    'Without filters it lists the selections of every machine that you may access. Stock is what the service knows; machines sell while you read.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 -o table',
    "<%= config.bin %> <%= command.id %> --site 12 --where 'count<=2' -o csv",
  ]
}
