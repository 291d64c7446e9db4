import {printJson} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import type {JournalPart} from '../journal/journal-entries.js'
import {fromAnswerText} from '../send/journal-answer.js'
import {digestText, type RowKey} from './row-keys.js'

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

/** Sorts the rows of a run. `since` (milliseconds since 1970): rows that were applied before that are left out. */
export function readRows(journal: Journal, since?: number): RowsOfRun {
  const run = journal.facts().id
  const late = since === undefined ? undefined : confirmedSince(journal, since)
  const fates = fatesByPlace(journal.parts())
  const found: RowsOfRun = {
    ...{run, all: [], applied: [], appliedElsewhere: [], inDoubt: [], planned: [], refused: []},
  }
  for (const {place, digest, naturalKey, id, skip, by} of journal.rows()) {
    const key = {place, digest: digestText(digest), naturalKey}
    const {fate = 'refused', part, madeId} = fates.get(place) ?? {}
    found.all.push(key)
    if (fate === 'applied') {
      if (!late || late.has(part ?? 0)) found.applied.push({...key, run, id: madeId ?? id})
    } else if (fate !== 'refused' || skip === null) found[fate].push(key)
    else if (skip === 'appliedBefore' && by !== null) found.appliedElsewhere.push({...key, run: by, id})
  }

  return found
}

type RowFate = {fate: 'applied' | 'inDoubt' | 'planned'; part: number; madeId?: string | undefined}

function fatesByPlace(parts: readonly JournalPart[]): Map<number, RowFate> {
  const fates = new Map<number, RowFate>()
  for (const part of parts) {
    const fate = fateOf(part)
    const ids = fate === 'applied' ? idsOf(part) : []
    if (fate)
      for (const [index, place] of part.places.entries()) fates.set(place, {fate, part: part.seq, madeId: ids[index]})
  }

  return fates
}

function fateOf({state}: JournalPart): RowFate['fate'] | undefined {
  if (state === 'confirmed') return 'applied'
  if (state === 'planned') return 'planned'
  return state === 'sent' || state === 'inDoubt' ? 'inDoubt' : undefined
}

function idsOf({answer, places}: JournalPart): string[] {
  const known = answer === null ? undefined : fromAnswerText(answer)
  return known?.fate === 'applied' && known.ids.length === places.length ? known.ids.map((id) => printJson(id)) : []
}

function confirmedSince(journal: Journal, since: number): Set<number | null> {
  const events = journal.events().filter(({at, to}) => at >= since && to === 'confirmed')
  return new Set(events.map(({part}) => part))
}
