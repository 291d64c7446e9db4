import {Flags} from '@oclif/core'
import {listExports} from '../../cli/export-runs-list.js'
import {environmentName} from '../../cli/flags.js'
import {stateFolder} from '../../cli/folders.js'
import type {ReadFlags} from '../../cli/read-flags.js'
import {recordFlags} from '../../cli/record-flags.js'
import {RecordsCommand} from '../../cli/records-command.js'
import {runColumns} from '../../cli/run-columns.js'
import {runFolderOf} from '../../cli/run-record.js'
import {listRuns, mergeRuns} from '../../cli/runs-list.js'
import {gatherNextSteps, hidesNextSteps, renderNextSteps} from '../../cli/runs-next-steps.js'

export default class RunsList extends RecordsCommand {
  static override summary = 'List the bulk writes and exports of this machine, newest first.'
  static override description = 'What each write did to its rows, what state each run is in, and what to do next.'
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
    const exports = listExports(stateFolder(this.environment), flags, (text) => this.caution(text))
    const runs = mergeRuns(listRuns(runFolderOf(this.environment), flags), exports)
    const records = gatherNextSteps(runs, nextSteps)
    await this.presentRecords(flags as ReadFlags, {resource: 'run', columns: runColumns, records})
    if (nextSteps.length > 0 && !this.jsonEnabled() && hidesNextSteps(flags as ReadFlags))
      this.messages.note(renderNextSteps(nextSteps))
  }
}
