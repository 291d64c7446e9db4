import {Args} from '@oclif/core'
import {clientFlags} from '../../cli/app/flags.js'
import {ChangesCommand} from '../../cli/reports/changes-command.js'
import type {VerifyFlags} from '../../cli/reports/verify-work.js'

export default class ReportsChanges extends ChangesCommand {
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
    await this.showChanges(args.file, flags as VerifyFlags)
  }
}
