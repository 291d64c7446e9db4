import {Flags} from '@oclif/core'
import {grouped} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'
import {recordFormats} from '../../formats/outputs/format-table.js'

export default class RunsAudit extends BaseCommand {
  static override summary = 'List every write: who, when, from which file, and what became of its rows.'
  static override description =
    'Of this machine, or of all machines that share a database (the setting budget). It stays for keepAudit days, also when runs remove drops the rest.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start -30d',
    '<%= config.bin %> <%= command.id %> --start 2026-10 --end 2026-10 -o csv --output-file october.csv',
    "<%= config.bin %> <%= command.id %> --where 'user=ana' --output-file audit.html",
  ]
  static override flags = grouped('FILTER', {
    start: Flags.string({description: 'Writes from this time on, UTC, e.g. 2024-07-01, 2024-07, yesterday or -7d.'}),
    end: Flags.string({description: 'Writes until then, inclusive; a day or month means its end.'}),
    ...recordFlags,
    output: Flags.option({
      char: 'o',
      options: [...recordFormats, 'html' as const],
      helpGroup: 'OUTPUT',
      description: 'Output format; html is a page. By default that of the file name, else table or ndjson.',
    })(),
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(RunsAudit)
    const {presentAudit} = await import('../../cli/runs/runs-audit.js')
    await presentAudit(flags, this.context)
  }
}
