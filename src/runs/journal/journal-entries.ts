import type {BootMoment} from '../../core/clock.js'
import type {Row} from '../../core/sqlite.js'
import {type Evidence, type PartState, partStates} from './run-facts.js'

export type JournalRow = {
  place: number
  line: number
  /** Sixteen bytes that are equal for rows of equal content. */
  digest: Uint8Array
  naturalKey: string | null
  /** JSON of the record's id. */
  id: string | null
  skip: string | null
  /** JSON of the row as the input gave it, where another record or none is sent. */
  given: string | null
  /** The run that applied the row or took it over. */
  by: string | null
}

export type NewPart = {
  parent: number | null
  number: number
  places: readonly number[]
  /** JSON of where the part comes from: canary, rest, half. */
  origin: string
  /** The exact bytes of the request body. */
  body: string
}

/** A body may be long, and is read by itself. */
export type JournalPart = Omit<NewPart, 'body'> & {
  seq: number
  state: PartState
  attempts: number
  sent?: BootMoment
  /** When waiting for the answer ended; absent when the program was killed before. */
  doubt?: BootMoment
  /** JSON of the answer of the client. */
  answer: string | null
  how: Evidence | null
}

export type JournalEvent = {at: number; part: number | null; from: string | null; to: string; why: string}

export function* toJournalRows(rows: Iterable<Row>): Generator<JournalRow, void, void> {
  for (const row of rows) {
    yield {
      place: Number(row['place']),
      line: Number(row['line']),
      digest: row['digest'] as Uint8Array,
      naturalKey: textOrNull(row['natural_key']),
      id: textOrNull(row['id']),
      skip: textOrNull(row['skip']),
      given: textOrNull(row['given']),
      by: textOrNull(row['by_run']),
    }
  }
}

export function toPart(row: Row): JournalPart {
  const sent = toMoment(row['sent_boot'], row['sent_at'])
  const doubt = toMoment(row['doubt_boot'], row['doubt_at'])
  return {
    seq: Number(row['seq']),
    parent: row['parent'] === null ? null : Number(row['parent']),
    number: Number(row['number']),
    places: JSON.parse(textOf(row, 'places')) as number[],
    origin: textOf(row, 'origin'),
    state: stateOf(row),
    attempts: Number(row['attempts']),
    ...(sent && {sent}),
    ...(doubt && {doubt}),
    answer: textOrNull(row['answer']),
    how: textOrNull(row['how']) as Evidence | null,
  }
}

/** Throws for an unknown state. */
function stateOf(row: Row): PartState {
  const state = partStates.find((name) => name === row['state'])
  if (state === undefined) throw new RangeError('unknown state of a part')
  return state
}

export function toEvent(row: Row): JournalEvent {
  const part = row['part']
  return {
    at: Number(row['at']),
    part: part === null || part === undefined ? null : Number(part),
    from: textOrNull(row['from_state']),
    to: textOf(row, 'to_state'),
    why: textOf(row, 'why'),
  }
}

function toMoment(boot: Row[string] | undefined, at: Row[string] | undefined): BootMoment | undefined {
  if (typeof at !== 'number') return undefined
  return {boot: typeof boot === 'string' ? boot : undefined, milliseconds: at}
}

export function textOf(row: Row | undefined, name: string): string {
  return String(row?.[name] ?? '')
}

function textOrNull(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
