import {stateFolder} from '../app/folders.js'
import type {ReadFlags} from '../read/read-flags.js'
import {RecordsWork} from '../read/records-work.js'
import {listExports} from '../reports/export-runs-list.js'
import {runColumns} from './run-columns.js'
import {runFolderOf} from './run-record.js'
import {listRuns, mergeRuns} from './runs-list.js'
import {gatherNextSteps, hidesNextSteps, renderNextSteps} from './runs-next-steps.js'

export type RunsListFlags = ReadFlags & {open?: boolean}

/** All runs of this machine, and below their table what waits for somebody. */
export class RunsListWork extends RecordsWork {
  async list(flags: RunsListFlags): Promise<void> {
    const nextSteps: string[] = []
    const exports = listExports(stateFolder(this.environment), flags, (text) => this.caution(text))
    const runs = mergeRuns(listRuns(runFolderOf(this.environment), flags), exports)
    const records = gatherNextSteps(runs, nextSteps)
    await this.presentRecords(flags, {resource: 'run', columns: runColumns, records})
    if (nextSteps.length > 0 && !this.isJson && hidesNextSteps(flags)) this.messages.note(renderNextSteps(nextSteps))
  }
}
