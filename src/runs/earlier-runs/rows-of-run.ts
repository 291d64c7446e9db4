import {type JsonValue, printJson} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import {fromAnswerText} from '../journal/journal-answer.js'
import type {JournalPart} from '../journal/journal-entries.js'
import {loadRun} from '../journal/load-run.js'
import {reportOfRun} from '../report/report-of-run.js'
import {digestText, type RowKey} from '../rows/row-keys.js'

/** A row that a run applied. */
export type AppliedRow = RowKey & {
  run: string
  /** JSON of the id of the record that was created or changed. */
  id: string | null
}

/** The rows of a run by their fate. */
export type RowsOfRun = {
  run: string
  all: RowKey[]
  applied: AppliedRow[]
  /** Left out, because another run had applied them. */
  appliedElsewhere: AppliedRow[]
  inDoubt: RowKey[]
  planned: RowKey[]
  refused: RowKey[]
}

/** The rows of a run that it may still send. */
export function readPlanned(journal: Journal): RowKey[] {
  const places = new Set(journal.parts().flatMap((part) => (fateOf(part) === 'planned' ? part.places : [])))
  const planned: RowKey[] = []
  if (places.size === 0) return planned
  for (const {place, digest, naturalKey} of journal.rows())
    if (places.has(place)) planned.push({place, digest: digestText(digest), naturalKey})
  return planned
}

/** The rows of a run that may have been applied; those of a run without a doubt are not read. */
export function readDoubt(journal: Journal): Pick<RowsOfRun, 'inDoubt'> {
  const hasDoubt = journal.parts().some((part) => fateOf(part) === 'inDoubt')
  return hasDoubt ? readRows(journal) : {inDoubt: []}
}

/** What a refusal blames is found in the records that were sent; nothing else counts rows by their records. */
export function hasRefusal(journal: Journal): boolean {
  return journal.parts().some(({answer}) => answer !== null && fromAnswerText(answer).fate === 'refused')
}

/** Digests of rows that the service refused. */
export function* readRefused(journal: Journal): Generator<string, void, void> {
  if (!hasRefusal(journal)) return
  const {outcomes} = reportOfRun(loadRun(journal))
  for (const {place, digest} of journal.rows()) if (outcomes.at(place)?.fate === 'refused') yield digestText(digest)
}

export type RowsOptions = {
  /** Rows that were applied before that, in milliseconds since 1970, are left out. */
  since?: number | undefined
  /** Read only what was applied, by the run or before it. */
  appliedOnly?: boolean
}

/** Sorts the rows of a run; linear in them. */
export function readRows(journal: Journal, {since, appliedOnly = false}: RowsOptions = {}): RowsOfRun {
  const {id: run, rows: count} = journal.facts()
  const late = since === undefined ? undefined : confirmedSince(journal, since)
  const findFate = createFates(journal.parts(), count)
  const found: RowsOfRun = {
    ...{run, all: [], applied: [], appliedElsewhere: [], inDoubt: [], planned: [], refused: []},
  }
  for (const {place, digest, naturalKey, id, skip, by} of journal.rows()) {
    const {fate, part, madeIdOf} = findFate(place)
    if (appliedOnly && fate !== 'applied' && skip !== 'appliedBefore') continue
    const key = {place, digest: digestText(digest), naturalKey}
    if (!appliedOnly) found.all.push(key)
    if (fate === 'applied') {
      if (!late || late.has(part)) found.applied.push({...key, run, id: madeIdOf(place) ?? id})
    } else if (fate !== 'refused' || skip === null) found[fate].push(key)
    else if (skip === 'appliedBefore' && by !== null) found.appliedElsewhere.push({...key, run: by, id})
  }

  return found
}

type Fate = 'applied' | 'inDoubt' | 'planned'

type FateOfPart = {fate: Fate | 'refused'; part: number; madeIdOf(place: number): string | undefined}

/** What became of the row of a place: that of the last part with a fate which holds it. */
function createFates(parts: readonly JournalPart[], rows: number): (place: number) => FateOfPart {
  const numbers = new Int32Array(rows)
  const refused: FateOfPart = {fate: 'refused', part: 0, madeIdOf: () => undefined}
  const fates = [refused]
  for (const part of parts) {
    const fate = fateOf(part)
    if (!fate) continue
    for (const place of part.places) numbers[place] = fates.length
    const ids = idsOf(part)
    fates.push({
      fate,
      part: part.seq,
      madeIdOf(place) {
        const id = ids.get(place)
        return id === undefined ? undefined : printJson(id)
      },
    })
  }

  return (place) => fates[numbers[place] ?? 0] ?? refused
}

function fateOf({state}: JournalPart): Fate | undefined {
  if (state === 'confirmed') return 'applied'
  if (state === 'planned') return 'planned'
  return state === 'sent' || state === 'inDoubt' ? 'inDoubt' : undefined
}

function idsOf({answer, places}: JournalPart): Map<number, JsonValue> {
  const known = answer === null ? undefined : fromAnswerText(answer)
  const ids = known?.fate === 'applied' && known.ids.length === places.length ? known.ids : []
  return new Map(ids.map((id, index) => [places[index] ?? 0, id]))
}

function confirmedSince(journal: Journal, since: number): Set<number | null> {
  const events = journal.events().filter(({at, to}) => at >= since && to === 'confirmed')
  return new Set(events.map(({part}) => part))
}
