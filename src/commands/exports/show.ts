import {recordFlags} from '../../cli/read/read-flags.js'
import {nameArgument, scopeFlag} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ExportsShow extends BaseCommand {
  static override summary = 'Show up to where a name of --since-last has read, and what its next run does.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> nightly',
    '<%= config.bin %> <%= command.id %> nightly --json',
  ]
  static override args = {name: nameArgument}
  static override flags = {scope: scopeFlag, ...recordFlags}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ExportsShow)
    const {showName} = await import('../../cli/reports/named-exports.js')
    await showName(args.name, flags, this.context)
  }
}
