import {clientFlags} from '../cli/app/flags.js'
import {recordFlags} from '../cli/read/read-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Doctor extends BaseCommand {
  static override summary = 'Check everything between this machine and the service, and suggest fixes.'
  static override description =
    'Folders, service, proxy, name, credentials, TLS, key, login, clock, read method, page ceiling, and the paths that services have in different places. Checks that depend on a failed one are listed as not run.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = {...clientFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const {examine} = await import('../cli/info/examine.js')
    const {presentRecords} = await import('../cli/read/present-records.js')
    const {ownColumns} = await import('../cli/read/own-columns.js')
    const {data, text, ...more} = await examine(flags, this.context)
    const columns = ownColumns(['name', 'ok', 'text', 'fix'])
    await presentRecords(flags, this.context, {
      resource: 'check',
      columns,
      records: data,
      usual: {text, data},
      ...more,
    })
  }
}
