import {Flags} from '@oclif/core'
import {environmentName} from '../../cli/flags.js'
import type {ReadFlags} from '../../cli/read-flags.js'
import {RecordsCommand, recordFlags} from '../../cli/records-command.js'
import {runFolderOf} from '../../cli/run-record.js'
import {listRuns, runColumns} from '../../cli/runs-list.js'
import {gatherNextSteps, hidesNextSteps, renderNextSteps} from '../../cli/runs-next-steps.js'

export default class RunsList extends RecordsCommand {
  static override summary = 'List the bulk writes of this machine, newest first.'
  static override description = 'What each did to its rows, what state it is in, and what to do next.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --open',
    "<%= config.bin %> <%= command.id %> --where 'command=sites create' --limit 5 -o csv",
  ]
  static override flags = {
    open: Flags.boolean({
      env: environmentName('open'),
      helpGroup: 'FILTER',
      description: 'Only runs in which something is left to do, those going on among them.',
    }),
    ...recordFlags,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(RunsList)
    const nextSteps: string[] = []
    const records = gatherNextSteps(listRuns(runFolderOf(this.environment), {open: flags.open}), nextSteps)
    await this.presentRecords(flags as ReadFlags, {resource: 'run', columns: runColumns, records})
    if (nextSteps.length > 0 && !this.jsonEnabled() && hidesNextSteps(flags as ReadFlags))
      this.messages.note(renderNextSteps(nextSteps))
  }
}
