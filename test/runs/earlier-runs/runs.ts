import {createHash} from 'node:crypto'
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest'
import type {Client} from '../../../src/client/types.js'
import type {WriteId} from '../../../src/contract/index.js'
import {bootMoment, systemClock} from '../../../src/core/clock.js'
import type {CliFailure} from '../../../src/core/errors.js'
import {lockRun, makeRunId, type RunFolder} from '../../../src/core/run-id.js'
import {handOver} from '../../../src/runs/earlier-runs/hand-over.js'
import {type LockedRun, matchPlan} from '../../../src/runs/earlier-runs/match-plan.js'
import type {EarlierRuns} from '../../../src/runs/earlier-runs/related-runs.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import type {RunFacts} from '../../../src/runs/journal/journal-entries.js'
import {holdRun, loadRun} from '../../../src/runs/journal/load-run.js'
import {listRunIds} from '../../../src/runs/journal/run-folder.js'
import {beginJournal} from '../../../src/runs/journal/run-journal.js'
import {reconcileRun} from '../../../src/runs/reconcile/reconcile.js'
import type {RunReport} from '../../../src/runs/report/report.js'
import {reportOfRun} from '../../../src/runs/report/report-of-run.js'
import type {Checked} from '../../../src/runs/rows/phases.js'
import {toRowKeys} from '../../../src/runs/rows/row-content.js'
import {type Sandbox, startSandbox} from '../../../src/sandbox/server.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {createSandboxClient} from '../../support/client.js'
import {makeFolder} from '../../support/folder.js'
import {requestsOf} from '../../support/requests.js'
import {type BulkOptions, bulkFromFile, type MakeRecord, type ResumeOptions, resumeRun} from '../flow.js'
import {factsOf} from '../recorded.js'
import {asStdin} from '../sites.js'

const settleMilliseconds = 40

export type Giving = Partial<BulkOptions> & {
  /** Where the lines are said to lie. */
  path?: string
  fresh?: boolean
  skipsApplied?: boolean
  target?: Partial<RunFacts>
  /** The program is killed at a set, counted from 1: before it reaches the service, or after it was applied. */
  diesAt?: {set: number; when: 'before' | 'after'}
  /** It is killed when all is done, before it told so. */
  diesUntold?: boolean
}

export type Runs = {
  readonly sandbox: Sandbox
  readonly client: Client
  readonly folder: RunFolder
  /** Gives a command with these lines as its file, as a new process would; undefined when it was killed. */
  give(operation: WriteId, lines: readonly string[], giving?: Giving): Promise<RunReport | undefined>
  resume(id: string, options?: Partial<ResumeOptions>): Promise<RunReport>
  reconcile(id: string): Promise<void>
  /** Ids of all runs, oldest first. */
  ids(): string[]
  /** What became of the rows of a run. */
  report(id: string): RunReport
  journal<Result>(id: string, work: (journal: Journal) => Result): Result
  read(table: 'site' | 'alert' | 'custom_data'): JsonRecord[]
  /** Requests that the sandbox saw, by operation. */
  requests(): Record<string, number>
}

/** The seed world, and the runs of one user in it. */
export function useRuns(): Runs {
  let sandbox: Sandbox
  let client: Client
  let path = ''
  let last = 0
  /** A run begins later than the one before it. */
  const toNow = () => {
    last = Math.max(last + 1, Date.now())
    return last
  }

  beforeAll(async () => {
    sandbox = await startSandbox({batches: 0, machines: 20, limits: false})
  })
  afterAll(() => sandbox.close())
  beforeEach(async () => {
    sandbox.reset()
    client = createSandboxClient(sandbox).client
    await client.login()
    path = makeFolder()
  })
  afterEach(() => client.close())

  const open = (id: string) => holdRun({path}, id)
  const settleRun: ResumeOptions['settle'] = async ({journal, loaded}, sends) => {
    const onProgress = () => undefined
    const options = {
      client,
      clock: systemClock,
      moment: bootMoment,
      settleMilliseconds,
      onProgress,
      ...(sends && {sends}),
    }
    return (await reconcileRun(journal, loaded, options)).sets
  }
  const settle = async (journal: Journal, sends?: Parameters<typeof settleRun>[1]) => {
    await settleRun({folder: {path}, journal, loaded: loadRun(journal)}, sends)
  }
  const earlier = (operation: WriteId, target: Partial<RunFacts>): EarlierRuns => ({
    folder: {path},
    target: {operation, stage: target.stage ?? usualTarget.stage, baseUrl: target.baseUrl ?? usualTarget.baseUrl},
    fingerprint: async () => target.keyFingerprint ?? usualTarget.keyFingerprint,
    keptMilliseconds: 86_400_000,
    reconcile: async ({journal}, sends) => {
      await settle(journal, sends)
      return false
    },
  })

  async function give(operation: WriteId, lines: readonly string[], giving: Giving = {}) {
    const {path: file, fresh = false, skipsApplied = false, target = {}, diesAt, diesUntold, ...options} = giving
    const inputDigest = createHash('sha256').update(lines.join('\n')).digest('hex')
    let lockedRuns: LockedRun[] = []
    let finish: (() => void) | undefined
    const recognise = async (plan: Checked) => {
      const {dryRun = false} = options
      const asked = {path: file, inputDigest, dryRun, skipsApplied}
      const known = await matchPlan(plan, {earlier: earlier(operation, target), ...asked})
      lockedRuns = known.lockedRuns
      return known.plan
    }
    const record: MakeRecord = (plan, before) => {
      const facts = factsOf(plan, {
        ...{id: makeRunId(toNow(), () => 0), input: {format: 'csv'}, preimages: before ? 'whole' : 'none'},
        ...{...usualTarget, ...target, inputDigest, continues: lockedRuns.map(({id}) => id), createdAt: toNow()},
      })
      const lock = lockRun({path}, facts.id)
      const {journal, sets} = beginJournal({path}, {plan, before}, {...facts, ...(file && {path: file})})
      for (const one of lockedRuns) handOver(one, facts.id, toRowKeys(operation, plan.rows))
      finish = () => {
        journal.close()
        lock.release()
      }
      const end = ({exit, rows}: Pick<RunReport, 'exit' | 'rows'>) => {
        journal.end({exit, rows, requests: 0, endedAt: toNow(), untold: true})
        if (!diesUntold) journal.markReported()
      }
      return {id: facts.id, sets, end}
    }
    const dying = createDying(client, diesAt)
    const all = {record, ...(!fresh && {recognise}), ...asStdin(lines), ...options}
    try {
      return await Promise.race([bulkFromFile(operation, {client: dying.client, ...all}), dying.death])
    } finally {
      finish?.()
      for (const run of lockedRuns) run.close()
    }
  }

  return {
    get sandbox() {
      return sandbox
    },
    get client() {
      return client
    },
    get folder() {
      return {path}
    },
    give,
    async resume(id, options = {}) {
      const {journal, close} = open(id)
      try {
        const report = await resumeRun(journal, {folder: {path}, client, settle: settleRun, ...options})
        if (!options.dryRun) journal.markReported()
        return report
      } finally {
        close()
      }
    },
    async reconcile(id) {
      const {journal, close} = open(id)
      await settle(journal).finally(close)
    },
    ids: () => listRunIds({path}),
    report: (id) => withJournal(open(id), ({journal}) => reportOfRun(loadRun(journal))),
    journal: (id, work) => withJournal(open(id), ({journal}) => work(journal)),
    read: (table) => sandbox.store.read(table),
    requests: () => requestsOf(sandbox),
  }
}

/** What a promise is refused with. Throws when it is kept. */
export function failureOf(promise: Promise<unknown>): Promise<CliFailure> {
  return promise.then(
    () => {
      throw new TypeError('nothing was thrown')
    },
    (error: CliFailure) => error,
  )
}

function withJournal<Opened extends {close(): void}, Result>(opened: Opened, work: (opened: Opened) => Result): Result {
  try {
    return work(opened)
  } finally {
    opened.close()
  }
}

/** A client that never comes back from a set. */
function createDying(client: Client, diesAt: Giving['diesAt']) {
  let count = 0
  let die = () => {}
  const death = new Promise<undefined>((resolve) => {
    die = () => resolve(undefined)
  })
  const write: Client['write'] = async (id, sent, how) => {
    count++
    if (count !== diesAt?.set) return client.write(id, sent, how)
    if (diesAt.when === 'before') how?.beforeSend?.()
    else await client.write(id, sent, how)
    die()
    return new Promise(() => {})
  }
  return {client: {write, readPages: client.readPages}, death}
}

const usualTarget = {stage: 'v2.1', baseUrl: 'http://127.0.0.1', keyFingerprint: 'key'}
