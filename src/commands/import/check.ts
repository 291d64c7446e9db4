import {checkFlags, recipeArgs} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ImportCheck extends BaseCommand {
  static override summary = 'Check a file as the write of a recipe would, offline.'
  static override description = 'All flags of lint may follow the file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> prices book.xlsx',
    '<%= config.bin %> <%= command.id %> prices book.xlsx --report problems.xlsx',
  ]
  static override args = recipeArgs
  static override flags = checkFlags

  async run(): Promise<void> {
    await this.parse(ImportCheck)
    const {refuseOrder} = await import('../../cli/jobs/save-recipe.js')
    refuseOrder()
  }
}
