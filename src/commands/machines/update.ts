import {BaseCommand} from '../../cli/start/base-command.js'
import {chosenArgs, writeFlags} from '../../cli/write/write-flags.js'

export default class MachinesUpdate extends BaseCommand {
  static override summary =
    'Update machines: from a file, by id, or those that filters choose; another site moves them.'
  static override description =
    'The file needs the column id and the columns to change. Other fields keep their values, because the current machines are read first. Another siteId moves the machine.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --where mode=Service --set mode=Live --dry-run',
    '<%= config.bin %> <%= command.id %> --file machines.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file machines.csv --match prose --yes',
  ]
  static override args = chosenArgs
  static override flags = writeFlags('machines.update')

  async run(): Promise<void> {
    const {args, flags} = await this.parse(MachinesUpdate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('machines.update', flags, this.context, args.ids)
  }
}
