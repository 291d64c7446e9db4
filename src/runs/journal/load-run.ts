import type {WriteAnswer} from '../../client/types.js'
import {filterOf, isWriteId, limits, type WriteId, writeOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {keepMemoryFlatFor} from '../../core/flat-memory.js'
import {lockRun, type RunFolder} from '../../core/run-id.js'
import {readingOf} from '../../formats/read/row.js'
import {type JsonRecord, type JsonValue, parseJson, parsePrinted, toRecord} from '../../values/json.js'
import type {PlannedSet, RowList} from '../rows/cut-sets.js'
import {onErrorModes} from '../rows/on-error.js'
import {PackedRows} from '../rows/packed-rows.js'
import {type Agreed, agreedRows, batchOf, type NotTried, type Sending, type SetResult} from '../rows/phases.js'
import {fromFilters} from '../rows/row-content.js'
import type {Journal} from './journal.js'
import {fromAnswerText, type JournalPart, type RunFacts} from './journal-entries.js'
import {openJournal, readSoundly} from './open-journal.js'
import {runPath} from './run-folder.js'

/** Why a set is in doubt that was sent, and whose answer the journal lacks. */
export const noAnswer = 'no answer was recorded: the program was killed, or its journal could not be written'

/**
 * Reads a journal back into the plan and the sets of its run; `known`: its rows, where they were read before, and only
 * its sets are read then. Throws `storage` for contents that no version wrote. Time: linear in rows; memory: the rows
 * packed, the sets with their answers, and the records of a few sets.
 */
export function loadRun(journal: Journal, known?: RowList): LoadedRun {
  return readSoundly(journal.path, () => load(journal, known))
}

function load(journal: Journal, known?: RowList): LoadedRun {
  const facts = journal.facts()
  if (!isWriteId(facts.operation))
    throw new CliFailure(`Not the journal of a bulk write: ${journal.path}`, {code: 'STATE_DAMAGED'})
  const parts = journal.parts().map((part): LoadedPart => ({part, set: toSet(part)}))
  for (const {part} of parts) answerOf(part) // one that cannot be read is found here, not in the middle of a report
  const rows = known ?? loadRows(journal, facts.operation, parts)
  const {file, input, layout = {}, columns, merges, reads, undoes, options} = facts
  const plan = agreedRows({
    ...batchOf(facts.operation, file, rows),
    ...{reading: (input && readingOf(input)) ?? null, layout, columns: new Map(columns), merges, reads},
    ...(undoes !== undefined && {origin: {kind: 'undo', run: undoes}}),
    sets: parts.filter(({part}) => part.parent === null).map(({set}) => set),
    sending: toSending(options),
  })
  return {facts, plan, parts}
}

/** Options of sending the sets of a run; an earlier version kept fewer. */
function toSending({setSize, onError, bisectBudget, atomic, canary, replace}: RunFacts['options']): Sending {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    setSize: numberOf(setSize) ?? limits.defaultSetSize,
    onError: onErrorModes.find((mode) => mode === onError) ?? 'stop',
    bisectBudget: numberOf(bisectBudget),
    atomic: atomic === true,
    canary: numberOf(canary),
    replace: replace === true,
  }
}

/** The fate of each set so far; a sent set without an answer is in doubt. */
export function toResults(parts: readonly LoadedPart[]): SetResult[] {
  const why = hasRefusedCanary({parts}) ? 'canary' : 'stopped'
  const children = Map.groupBy(parts, ({part}) => part.parent)
  return parts.flatMap(({part, set}): SetResult[] => {
    const again = new Set((children.get(part.seq) ?? []).flatMap((child) => child.set.places))
    if (part.state === 'closed' && (again.size > 0 || part.how === 'laterRun')) return [] // its parts or rows tell
    return [{set, answer: answerOf(part, why), ...(again.size > 0 && {again})}]
  })
}

export function answerOf({state, answer}: JournalPart, why: NotTried['why'] = 'stopped'): SetResult['answer'] {
  const known = answer === null ? undefined : fromAnswerText(answer)
  if (state === 'sent') return {fate: 'inDoubt', why: noAnswer, refusals: []}
  if (state === 'planned') return known?.fate === 'unsent' ? known : {fate: 'skipped', why}
  return known ?? ({fate: 'applied', ids: [], records: []} satisfies WriteAnswer)
}

function toSet({number, places, origin}: JournalPart): PlannedSet {
  return {number, places, ...(JSON.parse(origin) as Pick<PlannedSet, 'canary' | 'part'>)}
}

function loadRows(journal: Journal, operation: WriteId, parts: readonly LoadedPart[]): RowList {
  const {merges, rows: count} = journal.facts()
  const sent = readSent(
    journal,
    {operation, rows: count},
    merges ? parts : parts.filter(({part}) => part.parent === null),
  )
  const rows = new PackedRows()
  const {target} = writeOperation(operation)
  for (const {place, line, digest, id, skip, given, by} of journal.rows()) {
    const record = sent.find(place) ?? (id === null ? {} : {[target]: parseJson(id)})
    rows.push({
      line,
      record,
      digest,
      ...(skip !== null && {skip}),
      ...(skip !== null && id !== null && {madeId: parseJson(id)}),
      ...(given !== null && {given: toRecord(parsePrinted(given))}),
      ...(by !== null && {by}),
    })
  }

  sent.checkOthers()
  return rows.list
}

/** Bodies that are kept while the rows of several parts alternate. */
const mostBodies = 4

type Sent = {operation: WriteId; rows: number}

/** The records that parts send, by the place of their row; parts of a merge may have been merged again, the last one counts. */
function readSent(journal: Journal, {operation, rows}: Sent, parts: readonly LoadedPart[]) {
  const numbers = new Int32Array(rows).fill(-1)
  const indexes = new Int32Array(rows)
  const bodies = new Map<number, readonly JsonRecord[]>()
  const unread = new Set(parts.keys())
  for (const [number, {set}] of parts.entries())
    for (const [index, place] of set.places.entries()) {
      numbers[place] = number
      indexes[place] = index
    }

  const read = (number: number): readonly JsonRecord[] => {
    const {part, set} = parts[number] ?? {}
    const records = part ? recordsOf(operation, journal.bodyOf(part.seq)) : []
    if (records.length !== set?.places.length) throw new RangeError('not the records of its rows')
    unread.delete(number)
    return records
  }
  return {
    find(place: number): JsonRecord | undefined {
      const number = numbers[place] ?? -1
      if (number < 0) return undefined
      const records = bodies.get(number) ?? read(number)
      bodies.delete(number)
      bodies.set(number, records) // the one that was used last is kept longest
      const [oldest = number] = bodies.keys()
      if (bodies.size > mostBodies) bodies.delete(oldest)
      return records[indexes[place] ?? 0]
    },
    /** Bodies of which no row came are read as well. */
    checkOthers: () => [...unread].forEach(read),
  }
}

/** The records that a request body carries; the ids of a filter where the operation has no body. */
export function recordsOf(operation: WriteId, body: string): JsonRecord[] {
  const sent = toRecord(parsePrinted(body))
  const write = writeOperation(operation)
  if (write.body !== 'none') return sent['body'] as JsonRecord[]
  return fromFilters(write, (key) => (sent[filterOf(key).place] as Record<string, JsonValue[]>)[key] ?? [])
}

/** A run as it was read from its journal. */
export type LoadedRun = {facts: RunFacts; plan: Agreed; parts: LoadedPart[]}

export type LoadedPart = {part: JournalPart; set: PlannedSet}

/** Sets of a run, or parts of them, still to send: never sent, or proven not applied; in the order of its input. */
export function findLeft({parts}: Pick<LoadedRun, 'parts'>): LoadedPart[] {
  return parts.filter(isPlanned).sort(compare)
}

function compare({set}: LoadedPart, other: LoadedPart): number {
  return set.number - other.set.number || (set.places[0] ?? 0) - (other.set.places[0] ?? 0)
}

export function isPlanned({part}: {part: Pick<JournalPart, 'state'>}): boolean {
  return part.state === 'planned'
}

/** Whether something is left to do about a part: to send it, or to find out about it. */
export function isLeft({part}: {part: Pick<JournalPart, 'state'>}): boolean {
  return isPlanned({part}) || isInDoubt(part)
}

/** Whether it is not known what became of a part. */
export function isInDoubt({state}: Pick<JournalPart, 'state'>): boolean {
  return state === 'sent' || state === 'inDoubt'
}

/** Whether the first rows of a run were refused, on which all others depend, and not only sent in halves for their size. */
export function hasRefusedCanary({parts}: {parts: readonly LoadedPart[]}): boolean {
  const cut = new Set(parts.map(({part}) => part.parent))
  return parts.some(({part, set}) => set.canary === true && part.state === 'rejected' && !cut.has(part.seq))
}

/** Whether it is unknown for some set of a run if it was applied. */
export function hasDoubt({parts}: Pick<LoadedRun, 'parts'>): boolean {
  return parts.some(({part}) => isInDoubt(part))
}

/** The records as they were before a run, by natural key. */
export function* keptPreimages(journal: Journal): Generator<[string, JsonRecord], void, void> {
  for (const [key, text] of journal.preimages()) yield [key, parseJson(text) as JsonRecord]
}

/** A run that is locked until it is closed. */
export type HeldRun = {folder: RunFolder; id: string; journal: Journal; close(): void}

export type OpenedRun = HeldRun & {loaded: LoadedRun}

/** Opens and locks a run with its rows. Throws `locked` or `storage`. */
export function openRun(folder: RunFolder, id: string): OpenedRun {
  const run = holdRun(folder, id)
  try {
    return {...run, loaded: loadRun(run.journal)}
  } catch (error) {
    run.close()
    throw error
  }
}

/** Opens and locks a run without its rows, which may be many. Throws `locked` or `storage`. */
export function holdRun(folder: RunFolder, id: string): HeldRun {
  keepMemoryFlatFor(runPath(folder, id))
  const lock = lockRun(folder, id)
  try {
    const journal = openJournal(folder, id)
    refuseExported(journal)
    const close = () => {
      journal.close()
      lock.release()
    }
    return {folder, id, journal, close}
  } catch (error) {
    lock.release()
    throw error
  }
}

/** A run that version 0.1 handed to another machine may have been resumed there: nothing is sent for it here. */
function refuseExported(journal: Journal): void {
  const {id, exported} = journal.facts()
  if (exported === undefined) return
  journal.close()
  const when = toTimeText(exported)
  throw new CliFailure(`Run ${id} was exported on ${when} and can be changed only elsewhere; nothing was sent.`, {
    code: 'RUN_EXPORTED',
    hints: ['Change it on the machine that imported it, with the version that exported it.'],
  })
}
