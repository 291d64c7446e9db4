import {Args} from '@oclif/core'
import {contractFlags, contractFormats} from '../../cli/info/contract-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ContractShow extends BaseCommand {
  static override summary = 'Show the service contract, or one operation of it.'
  static override description =
    'Offline. "contract show envelope" is the JSON Schema of what --json prints, "contract show plan" that of a plan file, "contract show jobs" that of the jobs file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sites.create',
    '<%= config.bin %> <%= command.id %> sites.create --format csv-template > sites.csv',
    '<%= config.bin %> <%= command.id %> --format openapi > openapi.json',
    '<%= config.bin %> <%= command.id %> --format sql --dialect postgres > tables.sql',
  ]
  static override args = {
    operation: Args.string({ignoreStdin: true, description: 'Operation id, such as sites.create; all when left out.'}),
  }
  static override flags = contractFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ContractShow)
    const format = contractFormats.find((known) => known === flags.format) ?? 'table'
    const {toContractDocument} = await import('../../cli/info/contract-document.js')
    await this.present(await toContractDocument(args.operation, {format, dialect: flags.dialect}, this.context))
  }
}
