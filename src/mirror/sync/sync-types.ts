import type {Client} from '../../client/types.js'
import type {Clock} from '../../core/clock.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Grade} from '../../reports/export/grade.js'
import type {MirrorDatabase} from '../load/mirror-database.js'
import type {MirrorSource} from './mirror-state.js'

/** One table after a sync. */
export type SyncedTable = {
  table: string
  /** Rows in it; those marked as deleted, too. */
  rows: number
  deleted: number
  /** Records, or their lines, that the service returned. */
  read: number
  added: number
  changed: number
  /** Newly marked as deleted; not marked any more. */
  gone: number
  back: number
}

export type SyncProgress = {
  what: string
  page: number
  totalPages: number
  rows: number
  window?: number
  done?: number
}

export type SyncOptions = {
  db: MirrorDatabase
  client: Pick<Client, 'readPages'>
  clock: Clock
  source: MirrorSource
  tool: string
  /** Given when transactions are mirrored; `start` is needed where nothing is known of them. */
  transactions?: {late: number} | undefined
  /** Tables whose lists are not read. */
  skip?: readonly string[] | undefined
  /** Resolved; from when on alerts and transactions are wanted. */
  start?: string | undefined
  pageSize?: number
  pagesInFlight: number
  probes: boolean
  requireGrade: Grade
  /** Before the second page of a list or window; what it throws ends the sync. */
  onForecast: (what: string, requests: number) => void
  onProgress: (progress: SyncProgress) => void
  onNotice: (text: string) => void
}

export type Synced = {
  tables: SyncedTable[]
  /** Tables whose list the service does not know, or does not show to this key. */
  skipped: {table: string; why: string}[]
  /** Why it is not complete. */
  errors: ErrorEntry[]
  /** Of the transactions. */
  grade?: Grade
  range?: {start: string; end: string}
  pages: number
}
