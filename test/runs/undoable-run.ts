import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest'
import type {Client} from '../../src/client/types.js'
import type {WriteId} from '../../src/contract/index.js'
import {makeRunId} from '../../src/core/run-id.js'
import {findUndoers} from '../../src/runs/earlier-runs/undone.js'
import type {Journal} from '../../src/runs/journal/journal.js'
import {loadRun} from '../../src/runs/journal/load-run.js'
import {openJournal} from '../../src/runs/journal/open-journal.js'
import {beginJournal} from '../../src/runs/journal/run-journal.js'
import type {RunReport} from '../../src/runs/report/report.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import type {JsonRecord} from '../../src/values/json.js'
import {createSandboxClient} from '../support/client.js'
import {makeFolder} from '../support/folder.js'
import {requestsOf} from '../support/requests.js'
import {type BulkOptions, bulkFromFile, type MakeRecord, type UndoOptions, undoRun} from './flow.js'
import {factsOf} from './recorded.js'
import {asStdin} from './sites.js'

export type UndoableRun = {
  readonly sandbox: Sandbox
  readonly client: Pick<Client, 'write' | 'readPages'>
  /** Makes the journal of a run. */
  readonly record: MakeRecord
  /** Bodies of all writes, as they left. */
  readonly sent: string[]
  /** Runs a write with these lines as its file, and keeps a journal of it; gives back its id. */
  run(
    operation: WriteId,
    lines: readonly string[],
    options?: Partial<BulkOptions>,
  ): Promise<RunReport & {runId: string}>
  /** Takes a run back as the command does. */
  undo(id: string, options?: Partial<UndoOptions>): Promise<RunReport>
  journal<Result>(id: string, work: (journal: Journal) => Result): Result
  site(id: number): JsonRecord
  alert(id: number): JsonRecord
  /** Requests that the sandbox answered, by operation. */
  requests(): Record<string, number>
}

/** A sandbox, a client and a folder of journals for each test. */
export function useUndoableRun(): UndoableRun {
  let sandbox: Sandbox
  let client: Client
  let path = ''
  let last = 0
  const sent: string[] = []

  beforeAll(async () => {
    sandbox = await startSandbox({batches: 0, machines: 20, limits: false})
  })
  beforeEach(() => {
    sandbox.reset()
    client = createSandboxClient(sandbox).client
    path = makeFolder()
    sent.length = 0
  })
  afterEach(() => client.close())
  afterAll(() => sandbox.close())

  const record: MakeRecord = (plan, before) => {
    const {kind} = plan.origin
    const undoes = kind === 'undo' ? {undoes: plan.origin.run} : {}
    const facts = factsOf(plan, {id: makeRunId(Math.max(Date.now(), ++last), Math.random), ...undoes})
    const {journal, sets} = beginJournal({path}, {plan, before}, facts)
    return {
      id: facts.id,
      sets,
      end({exit, rows}) {
        journal.end({exit, rows, requests: 0, endedAt: Date.now()})
        journal.close()
      },
    }
  }
  const withJournal = <Result>(id: string, work: (journal: Journal) => Result): Result => {
    const journal = openJournal({path}, id)
    try {
      return work(journal)
    } finally {
      journal.close()
    }
  }
  const watched: UndoableRun['client'] = {
    readPages: (id, request) => client.readPages(id, request),
    write: (id, one, how) => {
      sent.push(how?.body ?? '')
      return client.write(id, one, how)
    },
  }

  return {
    get sandbox() {
      return sandbox
    },
    client: watched,
    record,
    sent,
    async run(operation, lines, options = {}) {
      const report = await bulkFromFile(operation, {client: watched, record, ...asStdin(lines), ...options})
      return {...report, runId: report.runId ?? ''}
    },
    async undo(id, options = {}) {
      const journal = openJournal({path}, id)
      const loaded = loadRun(journal)
      const undone = findUndoers({path}, loaded.facts)
      const learning: MakeRecord = (plan, before) => {
        const made = record(plan, before)
        journal.learn({undoneBy: [...(loaded.facts.undoneBy ?? []), made.id]})
        return made
      }
      const all = {client: watched, undone, record: learning, ...options}
      return undoRun(journal, loaded, all).finally(() => journal.close())
    },
    journal: withJournal,
    site: (id) => sandbox.store.find('site', id) ?? {},
    alert: (id) => sandbox.store.find('alert', id) ?? {},
    requests: () => requestsOf(sandbox),
  }
}
