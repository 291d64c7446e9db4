import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, writeFlags} from '../../cli/write/write-flags.js'

export default class AlertsUpdate extends BaseCommand {
  static override summary = 'Update alerts: from a file, by id, or those that filters choose.'
  static override description =
    'Only message, isCleared and clearedAt can change; other columns of an exported list are ignored. Times are sent as UTC. A cleared alert cannot be reopened.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --code CJ --set message='Coin jam, seen'",
    '<%= config.bin %> alerts list --code NS --columns id,message -o csv --output-file alerts.csv',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file alerts.csv --yes',
  ]
  static override args = chosenArgs
  static override flags = writeFlags('alerts.update')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AlertsUpdate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('alerts.update', flags, this.context, args.ids)
  }
}
