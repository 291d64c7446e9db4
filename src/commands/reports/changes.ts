import {Args} from '@oclif/core'
import {clientFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ReportsChanges extends BaseCommand {
  static override summary = 'Show which records changed since a file was exported.'
  static override description =
    'Reads the range of an exported file again and compares it record by record: added, changed, removed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> june.csv',
    '<%= config.bin %> <%= command.id %> june.csv --json --profile production',
  ]
  static override args = {
    file: Args.string({required: true, ignoreStdin: true, description: 'The exported file, or its manifest.'}),
  }
  static override flags = clientFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ReportsChanges)
    const {showChanges} = await import('../../cli/reports/verify.js')
    await showChanges(args.file, flags, this.context)
  }
}
