import {Args} from '@oclif/core'
import {logFlags} from '../../cli/sandbox/sandbox-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SandboxLog extends BaseCommand {
  static override summary = 'Show the last 1,000 requests to the sandbox, or each one as it comes.'
  static override description =
    'With an ID or --verbose also headers, bodies (the first 256 kB, without secrets) and what a refusal means. Times are those of the clock of the sandbox.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --follow',
    '<%= config.bin %> <%= command.id %> --status 4xx --verbose',
    '<%= config.bin %> <%= command.id %> 17',
    '<%= config.bin %> <%= command.id %> --follow -o ndjson --operation sites.create',
  ]
  static override args = {
    id: Args.integer({min: 1, ignoreStdin: true, description: 'Number of a request: show all that is known of it.'}),
  }

  static override flags = logFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SandboxLog)
    const {presentLog} = await import('../../cli/sandbox/request-list.js')
    await presentLog(args.id, flags, this.context)
  }
}
