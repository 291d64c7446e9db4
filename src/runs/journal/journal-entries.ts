import type {WriteAnswer} from '../../client/types.js'
import {toForeignCode} from '../../contract/failure-codes.js'
import {type ExitName, isExitName} from '../../contract/index.js'
import type {BootMoment} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Row} from '../../core/sqlite.js'
import type {Reading} from '../../formats/read/row.js'
import {type JsonRecord, type JsonValue, parsePrinted, printJson, toRecord} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import type {ServiceKey} from '../../values/service.js'
import type {Skip} from '../rows/cut-sets.js'
import type {NotTried} from '../rows/phases.js'

export type JournalRow = {
  place: number
  line: number
  /** Sixteen bytes that are equal for rows of equal content. */
  digest: Uint8Array
  naturalKey: string | null
  /** JSON of the record's id. */
  id: string | null
  skip: Skip | null
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
      skip: textOrNull(row['skip']) as Skip | null,
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

/** An answer as the journal keeps it; records that came back are left out, for they can be read again. */
export function toAnswerText(answer: WriteAnswer | NotTried): string {
  if (answer.fate === 'applied') {
    const {ids, now} = answer
    return printJson({fate: 'applied', ids, ...(now && {now})})
  }
  if (answer.fate !== 'unsent') return JSON.stringify(answer)
  const {failure} = answer
  const known = failure instanceof CliFailure ? {code: failure.code, exit: failure.exit, hints: failure.hints} : {}
  return printJson({fate: 'unsent', message: failure.message, ...known})
}

/** The answer that `toAnswerText` kept. Throws `TypeError` for what it never wrote. */
export function fromAnswerText(text: string): WriteAnswer {
  const record = toRecord(parsePrinted(text))
  const {fate} = record
  if (fate === 'applied') {
    const {ids, now} = record
    return {fate, ids: ids as JsonValue[], records: [], ...(Array.isArray(now) && {now})}
  }
  if (fate === 'unsent') return {fate, failure: toFailure(record)}
  if (fate === 'refused' || fate === 'inDoubt') return JSON.parse(text) as WriteAnswer
  throw new TypeError('no answer')
}

function toFailure({message, code, exit, hints}: JsonRecord): CliFailure {
  const name: ExitName = typeof exit === 'string' && isExitName(exit) ? exit : 'failure'
  return new CliFailure(String(message), {
    code: typeof code === 'string' ? toForeignCode(code) : 'NOT_SENT',
    exit: name,
    retry: 'safe',
    hints: Array.isArray(hints) ? hints.map(String) : [],
  })
}

/** Time on the clock of the service, and the moment of this machine at which it was read. */
export type ServiceMoment = {service: number; at: BootMoment}

/** Facts of a run when it began; nothing secret. */
export type RunFacts = ServiceKey & {
  id: string
  /** Words of the command, such as `sites create`. */
  command: string
  /** Who ran it, and where; an earlier version did not keep that. */
  user?: string
  host?: string
  operation: string
  profile: string
  /** The input as messages name it, and its path when it is a file. */
  file: string
  path?: string
  /** SHA-256 of the bytes of the input, in hex. */
  inputDigest?: string
  /** Digest of its rows, where their records have no natural key. */
  content?: string
  /** Flags with which rows of a file became what was sent; a copy of its rows needs them, too. */
  given?: {[flag: string]: string | string[] | true}
  /** Encoding and shape in which the input was read. */
  input?: Reading & {encoding?: string}
  /** Names of the places of input rows, where line numbers are not enough. */
  layout?: Layout
  /** Number of the column of each field, from 1. */
  columns: [string, number][]
  /** Options of sending: what to do about a refusal, and so on. */
  options: JsonRecord
  /** Seconds after a lost answer when rows that are not found count as not applied (--settle). */
  settle?: number
  merges: boolean
  /** Rows of the input. */
  rows: number
  /** Requests for reading before the first write. */
  reads: number
  /** Whether the records were read before the write; `partly` when that would have taken too many requests. */
  preimages: 'whole' | 'partly' | 'none'
  /** Times on the clock of the service before sets were sent, the first reading first. */
  clocks?: ServiceMoment[]
  /** SHA-256 in hex of the plan file that was applied. */
  planDigest?: string
  /** Who approved that plan, where the profile demanded somebody. */
  approvedBy?: string
  /** The run that this one undoes. */
  undoes?: string
  /** The runs that undid this one, or began to. */
  undoneBy?: string[]
  /** Runs whose open rows this run took over. */
  continues?: string[]
  /** The run that took all open rows of this one over. */
  continuedBy?: string
  /** Path of its rejects file. */
  rejects?: string
  /** When version 0.1 handed it to another machine, in milliseconds since 1970; nothing is sent for it here then. */
  exported?: number
  toolVersion: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** The end of a run, as reported to the user; absent while it is in progress and after a kill. */
export type RunOutcome = {
  /** Name of the exit code. */
  exit: string
  /** Rows by fate. */
  rows: Record<string, number>
  requests: number
  endedAt: number
  /** Set until the outcome was reported to the user: after a kill before that, nobody has seen it. A stored name. */
  untold?: true
}

/** `confirmed` applied · `rejected` refused, nothing changed · `closed` a person or a later run took its rows over. */
export const partStates = ['planned', 'sent', 'confirmed', 'rejected', 'inDoubt', 'closed'] as const
export type PartState = (typeof partStates)[number]

/** Source of a state: the answer, a read of the records, a second request, a person, or a later run. */
export type Evidence = 'answer' | 'probe' | 'resend' | 'person' | 'laterRun'
