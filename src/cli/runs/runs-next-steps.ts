import type {JsonRecord} from '../../values/json.js'
import {thousands} from '../../values/thousands.js'
import {formatOf, isOnTerminal} from '../read/format-of.js'
import type {ReadFlags} from '../read/read-flags.js'

const stepsShown = 5
/** Somebody has to do something about these. */
const waiting: readonly unknown[] = ['inDoubt', 'unfinished', 'unreadable', 'damaged', 'newer', 'unsafe']

/** The same runs; the next step of each that waits for somebody goes into `steps`. */
export function* gatherNextSteps(runs: Iterable<JsonRecord>, steps: string[]): Generator<JsonRecord, void, void> {
  for (const run of runs) {
    if (waiting.includes(run['state'])) steps.push(String(run['next']))
    yield run
  }
}

/** Whether the list is a table on a terminal, which has no room for commands, and shows every run. */
export function hidesNextSteps({output, columns, where, 'output-file': path}: ReadFlags): boolean {
  return isOnTerminal(path) && formatOf({output}, path) === 'table' && columns === undefined && where === undefined
}

export function renderNextSteps(steps: readonly string[]): string[] {
  const more = steps.length - stepsShown
  return [
    ...steps.slice(0, stepsShown).map((step) => `→ ${step}`),
    ...(more > 0 ? [`… and ${thousands(more)} more: vendorctl runs list --open --columns next`] : []),
  ]
}
