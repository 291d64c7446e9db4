import {profileFlags} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AuthStatus extends BaseCommand {
  static override summary = 'Show stored credentials as fingerprints, and when tokens expire.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override flags = {...profileFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthStatus)
    const {CredentialStore} = await import('../../settings/credential-store.js')
    const {describeCredentials} = await import('../../cli/login/describe-credentials.js')
    const {Profiles} = await import('../../settings/profiles.js')
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {ownColumns, toTimeColumn} = await import('../../cli/read/own-columns.js')
    const {simpleTable} = await import('../../cli/terminal/simple-table.js')
    const store = new CredentialStore(this.environment)
    const rows = await describeCredentials(flags, this.environment, store, new Profiles(this.environment))

    if (rows.length === 0) this.messages.note('Nothing is stored. Log in with: vendorctl auth login')
    const headers = ['use', 'source', 'profile', 'stage', 'service', 'key', 'user', 'password', 'token until (UTC)']
    const cells = rows.map((row) => [
      row.inUse ? '*' : '',
      row.source,
      row.profile,
      row.stage,
      row.baseUrl,
      row.key,
      row.username ?? '',
      row.password ? 'stored' : 'not stored',
      row.expires ?? '',
    ])
    const names = ['inUse', 'source', 'profile', 'stage', 'baseUrl', 'key', 'username', 'password']
    const text = rows.length > 0 ? await simpleTable(headers, cells) : undefined
    const columns = [...ownColumns(names), toTimeColumn('expires')]
    await presentRecords(flags, this.context, {resource: 'login', columns, records: rows, usual: {text, data: rows}})
  }
}
