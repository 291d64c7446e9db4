import type {BootMoment} from '../../core/clock.js'
import type {Reading} from '../../formats/read/row.js'
import type {JsonRecord} from '../../values/json.js'
import type {Layout} from '../../values/place.js'

/** What the clock of the service showed, and the moment of this machine at which that was known. */
export type ServiceMoment = {service: number; at: BootMoment}

/** What a run was when it began; nothing secret. */
export type RunFacts = {
  id: string
  /** Words of the command, such as `sites create`. */
  command: string
  operation: string
  profile: string
  stage: string
  baseUrl: string
  /** Differs from key to key and reveals nothing of the key. */
  keyFingerprint: string
  /** The input as messages name it, and its path when it is a file. */
  file: string
  path?: string
  /** SHA-256 of the bytes of the input, in hex. */
  inputDigest?: string
  /** Digest of its rows, where their records have no natural key. */
  content?: string
  /** How the input was read. */
  input?: Reading & {encoding?: string}
  /** How people find the rows of the input, where lines are not enough. */
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
  /** What the clock of the service showed before sets were sent, the first reading first. */
  clocks?: ServiceMoment[]
  /** SHA-256 in hex of the plan file that was applied. */
  planDigest?: string
  /** The run that this one undoes. */
  undoes?: string
  /** The runs that undid this one, or began to. */
  undoneBy?: string[]
  /** Runs whose open rows this run took over. */
  continues?: string[]
  /** The run that took all open rows of this one over. */
  continuedBy?: string
  /** Where its rejects file lies. */
  rejects?: string
  /** When it was exported, in milliseconds since 1970; nothing is sent for it here then. */
  exported?: number
  /** When it was imported. */
  imported?: number
  toolVersion: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** How a run ended, as reported to the user; absent while it is in progress and after a kill. */
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

/** What a state is known by: the answer, a read of the records, a second request, a person, or a later run. */
export type Evidence = 'answer' | 'probe' | 'resend' | 'person' | 'laterRun'
