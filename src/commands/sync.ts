import {syncFlags} from '../cli/mirror/sync-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Sync extends BaseCommand {
  static override summary = 'Mirror what the key can read into SQLite or PostgreSQL.'
  static override description =
    'All lists: organizations to machines, selections, templates, products, settings, roles, alerts; on request transactions. Other lists with dates are left out. What the service no longer returns is marked with deleted_at. Run again, it reads what is new; stopped, it resumes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --db mirror.db',
    '<%= config.bin %> <%= command.id %> --db postgres://loader@db.example.com/mirror --with-transactions --start 2024-01-01',
    '<%= config.bin %> <%= command.id %> --db mirror.db --with-transactions --late 7d --until-quota --json',
  ]
  static override flags = syncFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(Sync)
    const {runSync} = await import('../cli/mirror/run-sync.js')
    await runSync(flags, this.context)
  }
}
