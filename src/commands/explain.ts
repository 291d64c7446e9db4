import {Args} from '@oclif/core'
import {BaseCommand} from '../cli/base-command.js'

export default class Explain extends BaseCommand {
  static override summary = 'Explain an error code or an exit code, offline.'
  static override description = 'What it means, what was changed, whether you may send again, and what to do.'
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

  async run(): Promise<void> {
    const {args} = await this.parse(Explain)
    const {explainCode} = await import('../cli/explain-code.js')
    await this.present(await explainCode(args.code))
  }
}
