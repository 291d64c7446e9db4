import {clientFlags} from '../cli/app/flags.js'
import type {ReadFlags} from '../cli/read/read-flags.js'
import {recordFlags} from '../cli/read/record-flags.js'
import {RecordsCommand} from '../cli/read/records-command.js'

export default class Doctor extends RecordsCommand {
  static override summary = 'Check everything between this machine and the service, and suggest fixes.'
  static override description =
    'Folders, service, proxy, name, credentials, TLS, key, login, clock, read method, page ceiling. Checks that depend on a failed one are listed as not run.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = {...clientFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const {examine} = await import('../cli/settings/examine.js')
    const {ownColumns} = await import('../cli/runs/run-columns.js')
    const {data, text, ...more} = await examine(flags, this.environment, this.messages)
    const columns = ownColumns(['name', 'ok', 'text', 'mend'])
    await this.presentRecords(flags as ReadFlags, {
      resource: 'check',
      columns,
      records: data,
      usual: {text, data},
      ...more,
    })
  }
}
