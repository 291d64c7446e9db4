import {Flags} from '@oclif/core'
import {named} from '../../cli/app/flags.js'
import {nameArgument, scopeFlag} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ExportsReset extends BaseCommand {
  static override summary = 'Set the date from which the next run of a --since-last name reads.'
  static override description =
    'With an earlier date, records are read again and written again into new files. With a later one, records that no run has written are skipped. What an unfinished run had read is dropped. With a shared budget, the date applies to all machines.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> nightly --to 2024-07-01',
    '<%= config.bin %> <%= command.id %> nightly --to -7d --yes',
  ]
  static override args = {name: nameArgument}
  static override flags = named({
    to: Flags.string({
      required: true,
      helpValue: 'DATE',
      description: 'Where the next run begins, as --start would say it.',
    }),
    scope: scopeFlag,
    yes: Flags.boolean({char: 'y', description: 'Skip the confirmation.'}),
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ExportsReset)
    const {resetName} = await import('../../cli/reports/reset-named.js')
    await resetName(args.name, flags, this.context)
  }
}
