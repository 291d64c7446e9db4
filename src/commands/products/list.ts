import {readCommand} from '../../cli/start/read-command.js'

export default class ProductsList extends readCommand('products.list') {
  static override description = 'The fields of a product depend on the service; id and name are always columns.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~cola' -o csv",
  ]
}
