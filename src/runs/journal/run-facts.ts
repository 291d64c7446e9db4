import type {JsonRecord} from '../../values/json.js'

/** What a run is, as it was when it began; nothing secret. */
export type RunFacts = {
  id: string
  /** Words of the command, such as `sites create`. */
  command: string
  operation: string
  profile: string
  stage: string
  baseUrl: string
  /** Tells one key from another and gives nothing away. */
  keyFingerprint: string
  /** The input as messages name it, and where it lies when it is a file. */
  file: string
  path?: string
  /** SHA-256 of the bytes of the input, in hex. */
  inputDigest?: string
  /** Tells its rows from all others where nothing names their records. */
  content?: string
  /** How the input was read. */
  input?: {format: string; delimiter?: string; encoding?: string}
  /** Number of the column of each field, from 1. */
  columns: [string, number][]
  /** How the sets are sent: what to do about a refusal, and so on. */
  options: JsonRecord
  /** Seconds after a lost answer when rows that are not found were not applied, where the user said so (--settle). */
  settle?: number
  merges: boolean
  /** Rows of the input. */
  rows: number
  /** Requests that were spent on reading before the first write. */
  reads: number
  /** Whether the records were read as they were before; `partly` when that would have cost too many requests. */
  preimages: 'whole' | 'partly' | 'none'
  /** SHA-256 in hex of the plan file that was applied. */
  planDigest?: string
  /** The run whose changes this one takes back. */
  undoes?: string
  /** The runs that took the changes of this one back, or began to. */
  undoneBy?: string[]
  /** Runs whose open rows this run took over. */
  continues?: string[]
  /** The run that took all open rows of this one over. */
  continuedBy?: string
  /** Where its rejects file lies. */
  rejects?: string
  /** When this journal was given to another machine, in milliseconds since 1970; nobody sends for it here then. */
  exported?: number
  /** When it came from another machine. */
  imported?: number
  toolVersion: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** How a run ended, as it was said to the user; absent while it goes on or when it was killed. */
export type RunOutcome = {
  /** Name of the exit code. */
  exit: string
  /** Rows by fate. */
  rows: Record<string, number>
  requests: number
  endedAt: number
  /** Until all of it was said: a run that is killed before has ended, and its user does not know how. */
  untold?: true
}

/** `confirmed` applied · `rejected` refused, nothing changed · `closed` a person or a later run took its rows over. */
export const partStates = ['planned', 'sent', 'confirmed', 'rejected', 'inDoubt', 'closed'] as const
export type PartState = (typeof partStates)[number]

/** Who says so: the answer itself, a read of the records, a second sending, or a person. */
export type Evidence = 'answer' | 'probe' | 'resend' | 'person' | 'laterRun'
