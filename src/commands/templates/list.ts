import {readCommand} from '../../cli/start/read-command.js'

export default class TemplatesList extends readCommand('templates.list') {
  static override description = 'A template is a planogram: what it sets shows: templates selections.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~snack'",
  ]
}
