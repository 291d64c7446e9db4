import {Args} from '@oclif/core'
import {lintFlags} from '../cli/lint/lint-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Lint extends BaseCommand {
  static override summary = 'Check a file as a write would, offline.'
  static override description =
    'Needs no profile and sends nothing. Exits 3 if the file has errors; warnings alone do not fail.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sites.csv --operation sites.create',
    '<%= config.bin %> <%= command.id %> export.csv --operation sites.update --encoding windows-1252 --fix sites.csv',
    "<%= config.bin %> <%= command.id %> sites.csv --operation sites.create --map 'Site Name=name' --json",
  ]
  static override args = {
    file: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'CSV, TSV, JSON, NDJSON or xlsx file; - is standard input.',
    }),
  }
  static override flags = lintFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Lint)
    const {lintFile} = await import('../cli/lint/lint-file.js')
    await lintFile(args.file, flags, this.context)
  }
}
