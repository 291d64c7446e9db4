import type {JournalPart} from '../journal/journal-entries.js'
import type {RunFacts} from '../journal/run-facts.js'
import type {PlannedSet} from '../plan/cut-sets.js'
import type {Agreed} from '../rows/phases.js'

/** A run as it was read from its journal. */
export type LoadedRun = {
  facts: RunFacts
  plan: Agreed
  parts: LoadedPart[]
}

export type LoadedPart = {part: JournalPart; set: PlannedSet}

/** Sets of a run, or parts of them, that were not sent or proven not to be applied, in the order of its input. */
export function findLeft({parts}: Pick<LoadedRun, 'parts'>): LoadedPart[] {
  return parts.filter(isPlanned).sort((one, other) => compare(one, other))
}

function compare({set}: LoadedPart, other: LoadedPart): number {
  return set.number - other.set.number || (set.places[0] ?? 0) - (other.set.places[0] ?? 0)
}

export function isPlanned({part}: {part: Pick<JournalPart, 'state'>}): boolean {
  return part.state === 'planned'
}

/** Whether something is left to do about a part: to send it, or to find out about it. */
export function isLeft({part}: {part: Pick<JournalPart, 'state'>}): boolean {
  return isPlanned({part}) || isDoubtful(part)
}

export function findLeftParts(parts: readonly JournalPart[]): JournalPart[] {
  return parts.filter((part) => isLeft({part}))
}

function isDoubtful({state}: Pick<JournalPart, 'state'>): boolean {
  return state === 'sent' || state === 'inDoubt'
}

/** Whether the first rows of a run were refused, on which all others depend. */
export function hasRefusedCanary({parts}: {parts: readonly LoadedPart[]}): boolean {
  return parts.some(({part, set}) => set.canary === true && part.state === 'rejected')
}

/** Whether it is unknown for some set of a run if it was applied. */
export function hasDoubt({parts}: Pick<LoadedRun, 'parts'>): boolean {
  return parts.some(({part}) => isDoubtful(part))
}
