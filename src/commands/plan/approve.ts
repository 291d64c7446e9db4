import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'
import {approveFlags} from '../../cli/write/sending-flags.js'

export default class PlanApprove extends BaseCommand {
  static override summary = 'Approve a plan, so that a profile with approval=required sends it.'
  static override description =
    'Shows the plan, asks for the number of its records, and writes FILE.approval beside it: for this plan, this service and key, once, until it expires. Where the profile has approvers=PATH, it is signed with your ssh key; else it counts for you on this machine alone. Needs a terminal.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> plan.json',
    '<%= config.bin %> <%= command.id %> plan.json --expires 30m',
  ]
  static override args = {file: Args.string({ignoreStdin: true, required: true, description: 'File of the plan.'})}
  static override flags = approveFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PlanApprove)
    const {approvePlan} = await import('../../cli/write/approve-plan.js')
    await approvePlan(args.file, flags, this.context)
  }
}
