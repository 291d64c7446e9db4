import {BaseCommand} from '../../cli/start/base-command.js'
import {templateFlags} from '../../cli/write/write-flags.js'

export default class TemplatesApply extends BaseCommand {
  static override summary = 'Apply a template to machines.'
  static override description =
    'Sets product, price and levels of the selections of the template; selections that lack are created, others are kept. Machines in which that changes nothing are left out. Machines pick the change up at their next check-in, typically within 45 minutes. A file needs the column machineId, or --lookup machineId=prose.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --template 412 --machine @route7.txt --dry-run',
    '<%= config.bin %> <%= command.id %> --template 412 --machine PRS100001,PRS100002 --yes',
    '<%= config.bin %> <%= command.id %> --template 412 --file route7.csv --lookup machineId=prose',
  ]
  static override flags = templateFlags('machines.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(TemplatesApply)
    const {applyTemplate} = await import('../../cli/write/machine-writes.js')
    await applyTemplate({operation: 'templates.apply', read: 'machines.list'}, flags, this.context)
  }
}
