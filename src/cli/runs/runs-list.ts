import {listRuns} from '../../activities/what-ran.js'
import {thousands} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {formatOf, isOnTerminal} from '../read/format-of.js'
import {runColumns} from '../read/own-columns.js'
import {presentRecords} from '../read/present-records.js'
import type {RecordFlags} from '../read/read-flags.js'
import {runFolderOf} from '../write/own-runs.js'

const stepsShown = 5
/** Runs that wait for a person. */
const waiting: readonly unknown[] = ['inDoubt', 'unfinished', 'unreadable', 'damaged', 'newer', 'unsafe']

/** Shows all that ran on this machine, or one kind of it, and below the table what waits for a person. */
export async function presentRuns(
  flags: RecordFlags & {open?: boolean; kind?: string | undefined},
  context: CommandContext,
): Promise<void> {
  const {environment, isJson, messages, caution} = context
  const nextSteps: string[] = []
  const records = gatherNextSteps(listRuns(runFolderOf(environment), flags, caution), nextSteps)
  await presentRecords(flags, context, {
    resource: 'run',
    columns: runColumns,
    records,
    isNarrowed: flags.open === true || flags.kind !== undefined,
  })
  if (nextSteps.length > 0 && !isJson && hidesNextSteps(flags)) messages.note(renderNextSteps(nextSteps))
}

/** Hands the runs on, and puts the next step of each that waits for a person into `steps`. */
export function* gatherNextSteps(runs: Iterable<JsonRecord>, steps: string[]): Generator<JsonRecord, void, void> {
  for (const run of runs) {
    if (waiting.includes(run['state'])) steps.push(String(run['next']))
    yield run
  }
}

/** Whether the list is a table on a terminal, which has no room for commands, and shows every run. */
function hidesNextSteps({output, columns, where, 'output-file': path}: RecordFlags): boolean {
  return isOnTerminal(path) && formatOf({output}, path) === 'table' && columns === undefined && where === undefined
}

export function renderNextSteps(steps: readonly string[]): string[] {
  const more = steps.length - stepsShown
  return [
    ...steps.slice(0, stepsShown).map((step) => `→ ${step}`),
    ...(more > 0 ? [`… and ${thousands(more)} more: vendorctl runs list --open --columns next`] : []),
  ]
}
