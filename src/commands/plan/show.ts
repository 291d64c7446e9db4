import {Args} from '@oclif/core'
import {showViewFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class PlanShow extends BaseCommand {
  static override summary = 'Show a plan that --plan-out wrote, for review before it is applied.'
  static override description = 'Every change before and after. As markdown it fits into a comment of a pull request.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> plan.json',
    '<%= config.bin %> <%= command.id %> plan.json -o markdown > comment.md',
    '<%= config.bin %> <%= command.id %> plan.json --output-file plan.html',
  ]
  static override args = {file: Args.string({ignoreStdin: true, required: true, description: 'File of the plan.'})}
  static override flags = showViewFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PlanShow)
    const {showPlan} = await import('../../cli/write/show-plan.js')
    await showPlan(args.file, flags, this.context)
  }
}
