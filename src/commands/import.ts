import {importFlags, recipeArgs} from '../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Import extends BaseCommand {
  static override summary = 'Send a file with the flags of a recipe.'
  static override description =
    'A recipe is a write with its flags under a name, in the jobs file: see import list, import save and import check. All flags of the write may follow the file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> prices book.xlsx --dry-run',
    '<%= config.bin %> <%= command.id %> prices book.xlsx --yes',
  ]
  static override args = recipeArgs
  static override flags = importFlags

  async run(): Promise<void> {
    await this.parse(Import)
    const {refuseOrder} = await import('../cli/jobs/save-recipe.js')
    refuseOrder()
  }
}
