import {Args, Flags} from '@oclif/core'
import {clientFlags, named} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ReportsVerify extends BaseCommand {
  static override summary = 'Check an exported file against its manifest, or against the service.'
  static override description =
    'Checks length, checksum and row count without any request. --sample and --full read its records again and compare them; exits 10 if anything differs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> june.csv',
    '<%= config.bin %> <%= command.id %> june.csv --sample 5% --profile production',
  ]
  static override args = {
    file: Args.string({required: true, ignoreStdin: true, description: 'The exported file, or its manifest.'}),
  }
  static override flags = named({
    sample: Flags.string({
      helpValue: 'PERCENT',
      exclusive: ['full'],
      description: 'Read this share of the range again and compare it.',
    }),
    full: Flags.boolean({description: 'Read the complete range again and compare it.'}),
    ...clientFlags,
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ReportsVerify)
    const {verifyExport} = await import('../../cli/reports/verify.js')
    await verifyExport(args.file, flags, this.context)
  }
}
