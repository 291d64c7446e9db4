import {printJson} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import type {JournalPart} from '../journal/journal-entries.js'
import {fromAnswerText} from '../send/journal-answer.js'
import {digestText, type RowKey} from './row-keys.js'

/** A row that a run applied. */
export type AppliedRow = RowKey & {
  run: string
  /** JSON of the id of the record that was made of it or changed by it. */
  id: string | null
}

/** The rows of a run by what became of them; refused ones and those of other runs are in none. */
export type RowsOfRun = {
  applied: AppliedRow[]
  /** Rows that it left out, because another run had applied them. */
  appliedElsewhere: AppliedRow[]
  inDoubt: RowKey[]
  planned: RowKey[]
}

/** Sorts the rows of a run. `since` (milliseconds since 1970): rows that were applied before that are left out. */
export function readRows(journal: Journal, since?: number): RowsOfRun {
  const run = journal.facts().id
  const late = since === undefined ? undefined : confirmedSince(journal, since)
  const places = sortPlaces(
    journal.partStates().filter(({state, seq}) => state !== 'confirmed' || !late || late.has(seq)),
  )
  const found: RowsOfRun = {applied: [], appliedElsewhere: [], inDoubt: [], planned: []}
  for (const {place, digest, naturalKey, id, skip, by} of journal.rows()) {
    const key = {place, digest: digestText(digest), naturalKey}
    const kind = places.get(place)
    if (kind === 'inDoubt' || kind === 'planned') found[kind].push(key)
    else if (kind) found.applied.push({...key, run, id: kind.id ?? id})
    else if (skip === 'appliedBefore' && by !== null) found.appliedElsewhere.push({...key, run: by, id})
  }

  return found
}

type Kind = 'inDoubt' | 'planned' | {id: string | null}

function sortPlaces(parts: readonly JournalPart[]): Map<number, Kind> {
  const kinds = new Map<number, Kind>()
  for (const part of parts) {
    const {state, places} = part
    if (state === 'confirmed') {
      const ids = idsOf(part)
      for (const [index, place] of places.entries()) kinds.set(place, {id: ids[index] ?? null})
    } else if (state === 'planned' || state === 'inDoubt' || state === 'sent') {
      for (const place of places) kinds.set(place, state === 'planned' ? 'planned' : 'inDoubt')
    }
  }

  return kinds
}

function idsOf({answer, places}: JournalPart): string[] {
  const known = answer === null ? undefined : fromAnswerText(answer)
  return known?.fate === 'applied' && known.ids.length === places.length ? known.ids.map((id) => printJson(id)) : []
}

function confirmedSince(journal: Journal, since: number): Set<number | null> {
  const events = journal.events().filter(({at, to}) => at >= since && to === 'confirmed')
  return new Set(events.map(({part}) => part))
}
