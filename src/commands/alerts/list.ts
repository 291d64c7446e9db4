import {Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {environmentName as env} from '../../cli/app/flags.js'
import {readFlags} from '../../cli/read/read-flags.js'

export default class AlertsList extends BaseCommand {
  static override summary = 'List alerts.'
  static override description =
    'Without dates the service chooses the range, which is reported. The service does not tell when an alert was changed: --since-last reads the alerts of the last 90 days again and compares each with how it was listed. A change to an alert raised earlier than that, or before --start of the first run, is not seen, and of several changes between two runs only the last.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --code NS --where 'isCleared=false' --where 'raisedAt>=-2d'",
    '<%= config.bin %> <%= command.id %> --start -7d -o csv --output-file alerts.csv',
    '<%= config.bin %> <%= command.id %> --since-last watch --start -7d -o ndjson',
  ]
  static override flags = {
    'since-last': Flags.string({
      env: env('since-last'),
      helpGroup: 'FILTER',
      helpValue: 'NAME',
      description: 'Only alerts raised or changed since the last run of this name; the first one needs --start.',
    }),
    ...readFlags('alerts.list'),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsList)
    const name = flags['since-last']
    if (name === undefined) {
      const {listRecords} = await import('../../cli/read/list-records.js')
      return listRecords('alerts.list', flags, this.context)
    }
    const {listSince} = await import('../../cli/exports/list-since.js')
    await listSince('alerts.list', {...flags, 'since-last': name}, this.context)
  }
}
