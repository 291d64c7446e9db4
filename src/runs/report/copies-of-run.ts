import type {InputFormat} from '../../formats/names.js'
import {findSameInput} from '../check/input-source.js'
import type {LoadedRun} from '../journal/load-run.js'
import {toRowFileOfPlan} from '../plan/plan-document.js'
import type {RowCopies} from './report.js'

/** What rejects and results of a run are copied from: its input as it was written, or else what the journal holds. */
export async function findCopies(
  {facts, plan}: LoadedRun,
  warn: (text: string) => void,
): Promise<RowCopies | undefined> {
  const {input, path = '-'} = facts
  if (!input) return undefined
  const source = await findSameInput(facts)
  const {format, ...rest} = input
  if (source) {
    const rows = () => source.readAgain({format: format as InputFormat, ...rest})
    return {rows, checkSame: source.checkSame, beside: path}
  }

  if (path !== '-') warn(`${facts.file} is missing or has changed: rejects and results are made from the journal`)
  return {rows: async () => toRowFileOfPlan(plan), checkSame: () => undefined, beside: path}
}
