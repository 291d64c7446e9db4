import {readCommand} from '../../cli/start/read-command.js'

export default class TemplatesSelections extends readCommand('templates.selections') {
  static override description = 'One row for each selection number of a template.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --template 412 -o table',
    '<%= config.bin %> <%= command.id %> --template 412 -o csv --output-file template.csv',
  ]
}
