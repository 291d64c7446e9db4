import {Flags} from '@oclif/core'
import {named} from '../../cli/app/flags.js'
import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AlertsList extends BaseCommand {
  static override summary = 'List alerts.'
  static override description =
    'Without dates the service chooses the range, which is reported. It does not tell when an alert changed: --since-last reads the alerts of the last 90 days and compares each with how it was listed; changes of older ones are not seen. The first run of a name needs --start.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --code NS --where 'isCleared=false' --start -2d",
    '<%= config.bin %> <%= command.id %> --since-last watch --start -7d -o ndjson',
  ]
  static override flags = named({
    'since-last': Flags.string({
      helpGroup: 'FILTER',
      helpValue: 'NAME',
      description: 'Only alerts new or changed since its last run.',
    }),
    ...readFlags('alerts.list'),
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(AlertsList)
    const name = flags['since-last']
    if (name === undefined) {
      const {listRecords} = await import('../../cli/read/list-records.js')
      return listRecords('alerts.list', flags, this.context)
    }
    const {listSince} = await import('../../cli/reports/list-since.js')
    await listSince('alerts.list', {...flags, 'since-last': name}, this.context)
  }
}
