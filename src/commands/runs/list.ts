import {Flags} from '@oclif/core'
import {grouped} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsList extends BaseCommand {
  static override summary = 'List what ran on this machine: writes, exports, syncs and jobs, newest first.'
  static override description = 'Shows the state of each run, what became of its rows, and what to do next.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --open',
    '<%= config.bin %> <%= command.id %> --kind export',
    "<%= config.bin %> <%= command.id %> --where 'command=sites create' --limit 5 -o csv",
  ]
  static override flags = grouped('FILTER', {
    open: Flags.boolean({description: 'Only runs that are unfinished or in progress.'}),
    kind: Flags.string({options: ['write', 'export', 'sync', 'job'], description: 'Only runs of this kind.'}),
    ...recordFlags,
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(RunsList)
    const {presentRuns} = await import('../../cli/runs/runs-list.js')
    await presentRuns(flags, this.context)
  }
}
