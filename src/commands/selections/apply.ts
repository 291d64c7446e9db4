import {BaseCommand} from '../../cli/start/base-command.js'
import {applyFlags} from '../../cli/write/write-flags.js'

export default class SelectionsApply extends BaseCommand {
  static override summary = 'Update the selections of a file that exist, and create the others.'
  static override description =
    'A row is that of an existing record by its machine and selection number, or by the columns of --match. A row without a difference is left alone, and nothing is deleted. A new name that is nearly an existing one stops everything, unless --allow-similar is given or a person says yes. Updates are sent before creates.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file selections.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file selections.csv --yes',
    '<%= config.bin %> <%= command.id %> --file selections.csv --no-create --yes',
  ]
  static override flags = applyFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SelectionsApply)
    const {applyFile} = await import('../../cli/write/write-from-file.js')
    await applyFile('selections.update', flags, this.context)
  }
}
