import {Args} from '@oclif/core'
import {checkFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ImportCheck extends BaseCommand {
  static override summary = 'Check a file as the write of a recipe would, offline.'
  static override description = 'All flags of lint may follow the file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> prices book.xlsx',
    '<%= config.bin %> <%= command.id %> prices book.xlsx --report problems.xlsx',
  ]
  static override args = {
    recipe: Args.string({required: true, ignoreStdin: true, description: 'Name of the recipe.'}),
    file: Args.string({required: true, ignoreStdin: true, description: 'CSV, TSV, JSON, NDJSON or xlsx file.'}),
  }

  static override flags = checkFlags

  async run(): Promise<void> {
    await this.parse(ImportCheck)
    const {refuseOrder} = await import('../../cli/jobs/save-recipe.js')
    refuseOrder()
  }
}
