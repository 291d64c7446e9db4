import {nameArgument, scopeFlag} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ExportsShare extends BaseCommand {
  static override summary = 'Move the mark of a --since-last name into the store that machines share.'
  static override description =
    'Once for a name that was used before the machines shared a budget (`vendorctl help clusters`). A name that the store has already is refused, with both marks.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> nightly',
    '<%= config.bin %> <%= command.id %> nightly --scope 1c84f0aa',
  ]
  static override args = {name: nameArgument}
  static override flags = {scope: scopeFlag}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ExportsShare)
    const {shareName} = await import('../../cli/reports/share-named.js')
    await shareName(args.name, flags, this.context)
  }
}
