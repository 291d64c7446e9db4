import {Args} from '@oclif/core'
import {sqlFlags} from '../cli/mirror/sync-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Sql extends BaseCommand {
  static override summary = 'Query a database without changing it.'
  static override description =
    'Runs one query: on a SQLite file that is opened for reading only, or in a read-only transaction of PostgreSQL. Sends no request to the service. Digits are printed as the database has them.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'select id, name from machines where site_id = 12' --db mirror.db",
    '<%= config.bin %> <%= command.id %> @sales.sql --db postgres://reader@db.example.com/mirror --output-file sales.xlsx',
    '<%= config.bin %> <%= command.id %> sales-by-site --db mirror.db -o csv | head',
  ]
  static override args = {
    query: Args.string({
      ignoreStdin: true,
      description: 'The query, the name of one that is shipped, @FILE, or - for standard input.',
    }),
  }
  static override flags = sqlFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Sql)
    const {runQuery} = await import('../cli/mirror/run-query.js')
    await runQuery(args.query, flags, this.context)
  }
}
