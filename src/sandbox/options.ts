import type {Clock} from '../core/clock.js'
import type {JsonRecord} from '../values/json.js'
import type {Patience} from './connections.js'
import type {Faults} from './faults/faults.js'
import type {Login} from './keys-and-users.js'
import type {Limits, RequestCounts} from './limiter.js'
import type {Store} from './store/record-store.js'
import type {RecordTable} from './store/store-tables.js'

export type SandboxOptions = {
  /** 0, the default, takes any free port. */
  port?: number
  /** A file that survives a restart; without it, nothing is left of the sandbox, and a small world stays in memory. */
  database?: string | undefined
  /** `large` has a million line items. */
  scale?: 'small' | 'large'
  /** `empty` has credentials only. */
  world?: 'seeded' | 'empty'
  /** Same seed, same world, same faults by chance. */
  seed?: number | undefined
  batches?: number | undefined
  /** Machines of the seed world. */
  machines?: number
  /** False for none; other numbers than the contract's for a test. */
  limits?: boolean | Limits
  /** The own limit of provisioning, 200 machines a day unless given. */
  provisionsPerDay?: number
  clock?: Clock
  /** Must begin with `sandbox-`; random unless given, like username and password. */
  apiKey?: string
  username?: string
  password?: string
  adminToken?: string
  /** Header that carries the login token. */
  tokenHeader?: string
  /** Shorter times than usual for a test. */
  patience?: Partial<Patience>
  /** Faults to begin with, as text. */
  faults?: string[]
}

export type Sandbox = Login & {
  /** The base URL, without stage: `http://127.0.0.1:PORT`. */
  url: string
  port: number
  /** Key and user of two organizations. */
  limited: Login
  /** Refused with NO_API_ACCESS. */
  noAccess: Login
  /** Refused with ACCESS_ERROR. */
  accessError: Login
  /** The value that the `x-sandbox-admin` header of control requests must have. */
  adminToken: string
  store: Store
  /** Adds a record as it is, past every rule of the service; its parents must be there before it. */
  add(table: RecordTable, record: JsonRecord): void
  faults: Faults
  requests(): RequestCounts
  /** Restores the seed world; clears faults, counters, limits and tokens. */
  reset(): void
  /** Stops immediately: open connections are cut. */
  close(): Promise<void>
  /** Settles when the sandbox has stopped, by whatever way. */
  closed: Promise<void>
}
