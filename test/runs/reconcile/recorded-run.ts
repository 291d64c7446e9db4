import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest'
import type {Client, HttpLogEntry} from '../../../src/client/types.js'
import type {WriteId} from '../../../src/contract/index.js'
import {bootMoment, systemClock} from '../../../src/core/clock.js'
import type {RunFolder} from '../../../src/core/run-id.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {openJournal} from '../../../src/runs/journal/open-journal.js'
import {beginJournal} from '../../../src/runs/journal/run-journal.js'
import {recordsRead} from '../../../src/runs/plan/plan-document.js'
import type {ReconcileOptions, ReconcileReport} from '../../../src/runs/reconcile/judgement.js'
import {reconcileRun} from '../../../src/runs/reconcile/reconcile.js'
import type {RunReport} from '../../../src/runs/report/report.js'
import type {RunRecord} from '../../../src/runs/write/needs.js'
import {type Sandbox, startSandbox} from '../../../src/sandbox/server.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {createSandboxClient} from '../../support/client.js'
import {makeFolder} from '../../support/folder.js'
import {requestsOf} from '../../support/requests.js'
import {type BulkOptions, bulkFromFile, type MakeRecord} from '../flow.js'
import {factsOf} from '../recorded.js'
import {asStdin} from '../sites.js'

/** So long a first copy is waited for in tests, in milliseconds. */
export const settle = 40

export type RecordedRun = {
  readonly sandbox: Sandbox
  readonly client: Client
  /** Every request since the test began. */
  readonly log: HttpLogEntry[]
  readonly folder: RunFolder
  /** Runs a write with these lines as its file, and keeps a journal of it. */
  run(operation: WriteId, lines: readonly string[], options?: Partial<BulkOptions>): Promise<RunReport>
  /** The same client; its writes give up at the signal. */
  leaving(signal: AbortSignal): Promise<Pick<Client, 'readPages' | 'write'>>
  /** The same, but the program ends before it reads an answer. */
  die(operation: WriteId, lines: readonly string[], options?: Partial<BulkOptions>): Promise<RunReport>
  /** Reconciles the last run with a short settle time. */
  reconcile(options?: Partial<ReconcileOptions>): Promise<ReconcileReport>
  /** Looks at the journal of the last run. */
  journal<Result>(work: (journal: Journal) => Result): Result
  /** Records of the sandbox. */
  read(
    table: 'site' | 'alert' | 'custom_data' | 'selection' | 'machine' | 'role_right' | 'machine_setting',
  ): JsonRecord[]
  /** Requests that the sandbox answered since the test began, by operation. */
  requests(): Record<string, number>
}

/** The seed world, a client that has not logged in, and a folder of journals, for each test. */
export function useRecordedRun(): RecordedRun {
  let sandbox: Sandbox
  let client: Client
  let log: HttpLogEntry[] = []
  let path = ''
  let impatient: (signal: AbortSignal) => Client
  let id = ''

  beforeAll(async () => {
    sandbox = await startSandbox({batches: 0, machines: 8, limits: false})
  })
  afterAll(() => sandbox.close())
  beforeEach(async () => {
    sandbox.reset()
    const made = createSandboxClient(sandbox)
    client = made.client
    log = made.log
    impatient = (signal) => createSandboxClient(sandbox, {token: made.stored()?.accessToken ?? null, signal}).client
    path = makeFolder()
  })
  afterEach(() => client.close())

  const record: MakeRecord = (plan, before) => {
    const facts = factsOf(plan, {input: {format: 'csv'}, preimages: recordsRead(before)})
    id = facts.id
    const {journal, sets} = beginJournal({path}, {plan, before}, facts)
    return {
      id,
      sets,
      end({exit, rows}) {
        journal.end({exit, rows, requests: 0, endedAt: Date.now()})
        journal.close()
      },
    }
  }
  const withJournal = <Result>(work: (journal: Journal) => Result): Result => work(openJournal({path}, id))

  return {
    get sandbox() {
      return sandbox
    },
    get client() {
      return client
    },
    get log() {
      return log
    },
    get folder() {
      return {path}
    },
    run: (operation, lines, options = {}) => bulkFromFile(operation, {client, record, ...asStdin(lines), ...options}),
    die: (operation, lines, options = {}) =>
      bulkFromFile(operation, {
        client,
        record: (plan, before) => dying(record(plan, before)),
        ...asStdin(lines),
        ...options,
      }),
    async leaving(signal) {
      if (!log.some(({operation}) => operation === 'auth.login')) await client.login()
      const {write} = impatient(signal)
      return {write, readPages: client.readPages}
    },
    reconcile: (options = {}) => {
      const journal = openJournal({path}, id)
      const usual = {client, ...startAtDoubt(journal), settleMilliseconds: settle, onProgress: () => undefined}
      return reconcileRun(journal, loadRun(journal), {...usual, ...options}).finally(() => journal.close())
    },
    journal: (work) =>
      withJournal((journal) => {
        try {
          return work(journal)
        } finally {
          journal.close()
        }
      }),
    read: (table) => sandbox.store.read(table),
    requests: () => requestsOf(sandbox),
  }
}

/** Time that passes only while it is waited for, from the last doubt on: a slow machine skips no look. */
function startAtDoubt(journal: Journal): Pick<ReconcileOptions, 'clock' | 'moment'> {
  const start = bootMoment()
  const doubts = journal.parts().flatMap(({doubt}) => (doubt ? [doubt.milliseconds] : []))
  let now = doubts.length > 0 ? Math.max(...doubts) : start.milliseconds
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    await systemClock.sleep(milliseconds, signal)
    now += milliseconds
  }
  return {clock: {...systemClock, sleep}, moment: () => ({...start, milliseconds: now})}
}

/** A record that knows what was sent and not what was answered. */
function dying(record: RunRecord): RunRecord {
  return {...record, sets: {...record.sets, answered: () => undefined}}
}
