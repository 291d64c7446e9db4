import {ReadCommand} from '../../cli/read/read-command.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'

export default class AlertsCodes extends ReadCommand {
  static override summary = 'List alert codes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --where 'onlyOneExists=true'",
  ]
  static override flags = readFlags('alerts.codes')

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsCodes)
    await this.read('alerts.codes', flags as ReadFlags)
  }
}
