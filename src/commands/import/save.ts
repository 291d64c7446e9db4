import {Args} from '@oclif/core'
import {recipeArgs, saveFlags} from '../../cli/jobs/jobs-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ImportSave extends BaseCommand {
  static override summary = 'Keep a write and its flags as a recipe.'
  static override description =
    'Repeat the command after --. Its file, --yes and the like are left out. Comments of the jobs file stay.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> names -- sites update --map 'Site Name=name'",
    '<%= config.bin %> <%= command.id %> prices -- selections update --match machineId,selectionNumber --map Preis=price',
  ]
  static override args = {
    recipe: recipeArgs.recipe,
    words: Args.string({ignoreStdin: true, multiple: true, description: 'The command with its flags, after --.'}),
  }
  static override flags = saveFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ImportSave)
    const {saveRecipe} = await import('../../cli/jobs/save-recipe.js')
    await saveRecipe(args.recipe, args.words ?? [], flags, this.context)
  }
}
