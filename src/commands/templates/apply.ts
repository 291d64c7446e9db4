import {BaseCommand} from '../../cli/app/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class TemplatesApply extends BaseCommand {
  static override summary = 'Apply a template to machines.'
  static override description =
    'Sets product, price and levels of the selections that the template holds; selections that lack are created, others are kept. Machines pick the change up at their next check-in, typically within 45 minutes.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --template 412 --machine @route7.txt --dry-run',
    '<%= config.bin %> <%= command.id %> --template 412 --machine PRS100001,PRS100002 --yes',
  ]
  static override flags = writeFlags('templates.apply')

  async run(): Promise<void> {
    const {flags} = await this.parse(TemplatesApply)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('templates.apply', flags, this.context)
  }
}
