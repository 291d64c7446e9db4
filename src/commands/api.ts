import {Args, Flags} from '@oclif/core'
import {clientFlags, named, pageSizeFlag, repeatable} from '../cli/app/flags.js'
import {BaseCommand} from '../cli/start/base-command.js'

export default class Api extends BaseCommand {
  static override summary = 'Send a raw authenticated request.'
  static override description =
    'For routes without a command. Prints the response body as received. Only reads are ever retried.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> GET /machines --filter siteIds=12,13 --paginate',
    '<%= config.bin %> <%= command.id %> PUT /sites --body request.json --include',
  ]
  static override args = {
    method: Args.string({required: true, ignoreStdin: true, description: 'GET, POST, PUT, PATCH or DELETE.'}),
    path: Args.string({required: true, ignoreStdin: true, description: 'Path below the stage.'}),
  }
  static override flags = named({
    body: Flags.string({helpValue: 'FILE|-', description: 'Request body, sent unchanged.'}),
    filter: Flags.string({
      ...repeatable,
      helpValue: 'KEY=VALUE',
      description: 'Filter, e.g. siteIds=1,2; repeatable.',
    }),
    header: Flags.string({
      ...repeatable,
      helpValue: "'NAME: VALUE'",
      description: 'Additional header.',
    }),
    paginate: Flags.boolean({description: 'Read all pages into one JSON array.'}),
    include: Flags.boolean({char: 'i', description: 'Print status and headers before the body.'}),
    'page-size': pageSizeFlag,
    ...clientFlags,
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Api)
    const {callApi} = await import('../cli/info/call-api.js')
    await callApi(args, flags, this.context)
  }
}
