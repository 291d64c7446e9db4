import {Args} from '@oclif/core'
import {recordFlags} from '../cli/read/read-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Explain extends BaseCommand {
  static override summary = 'Explain an error code or an exit code, offline.'
  static override description =
    'Shows what it means, what was changed, whether it is safe to send again, and what to do.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> NAME_UNIQUENESS',
    '<%= config.bin %> <%= command.id %> 7',
  ]
  static override args = {
    code: Args.string({
      ignoreStdin: true,
      description: 'Code of a refusal, HTTP status, or exit code; all when left out.',
    }),
  }

  static override flags = recordFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Explain)
    const {presentRecords} = await import('../cli/read/present-records.js')
    const {ownColumns} = await import('../cli/read/own-columns.js')
    const {explainCode} = await import('../cli/info/explain-code.js')
    const usual = await explainCode(args.code)
    const names = ['kind', 'code', 'number', 'meaning', 'changed', 'again', 'hint', 'commands']
    const shown = {resource: 'code', columns: ownColumns(names, ['number']), records: usual.data, usual}
    await presentRecords(flags, this.context, shown)
  }
}
