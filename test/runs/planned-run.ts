import {createHash} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach} from 'vitest'
import type {WriteId} from '../../src/contract/index.js'
import {planMachines, readMachines} from '../../src/runs/machines/plan-machines.js'
import {compare} from '../../src/runs/plan/compare.js'
import {type PlanHead, printPlanDocument} from '../../src/runs/plan/plan-document.js'
import {type PlanDocument, readPlanDocument} from '../../src/runs/plan/read-plan-document.js'
import type {RunReport} from '../../src/runs/report/report.js'
import {type Compared, type Uncut, unmatchedRows} from '../../src/runs/rows/phases.js'
import type {JsonValue} from '../../src/values/json.js'
import {makeFolder} from '../support/folder.js'
import {type ApplyOptions, applyPlan, type BulkOptions, clearAlerts, toSending} from './flow.js'
import {type UndoableRun, useUndoableRun} from './undoable-run.js'

export type PlannedRun = {
  readonly used: UndoableRun
  /** Where the plan lies. */
  readonly path: string
  /** Writes the plan of a dry run. */
  plan(operation: WriteId, lines: readonly string[], options?: Partial<BulkOptions>): Promise<PlanDocument>
  /** Writes the plan of clearing alerts by id. */
  planClearing(ids: readonly JsonValue[]): Promise<PlanDocument>
  /** Writes the plan of applying a template to machines. */
  planTemplate(templateId: number, machines: readonly number[]): Promise<PlanDocument>
  read(): Promise<PlanDocument>
  apply(options?: Partial<ApplyOptions>): Promise<RunReport>
  text(): string
  /** Replaces the text of the plan file. */
  write(text: string): void
  /** Changes the text of the plan file, and makes its digest right again. */
  forge(change: (text: string) => string): void
}

/** Plans that are written to a file and read back, against a sandbox for each test. */
export function usePlannedRun(): PlannedRun {
  const used = useUndoableRun()
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = makeFolder()
    path = join(folder, 'plan.json')
  })
  const keepPlan = async (plan: Compared) => writeFileSync(path, [...printPlanDocument(toHead(plan), plan)].join(''))
  const read = () => readPlanDocument(path)
  return {
    used,
    get path() {
      return path
    },
    async plan(operation, lines, options = {}) {
      await used.run(operation, lines, {dryRun: true, keepPlan, ...options})
      return read()
    },
    async planClearing(ids) {
      await clearAlerts(ids, {client: used.client, record: used.record, dryRun: true, keepPlan})
      return read()
    },
    async planTemplate(templateId, machines) {
      const found = await readMachines(used.client, 'machines.list', {machineIdentifiers: machines.map(String)})
      const matched = unmatchedRows(planMachines('templates.apply', found, {templateId}))
      const leaveOut = async (uncut: Uncut) => uncut
      const sending = toSending({setSize: 500})
      await keepPlan(await compare(matched, {client: used.client, sending, sendUnchanged: false, leaveOut}))
      return read()
    },
    read,
    apply: async (options = {}) => applyPlan(await read(), {client: used.client, record: used.record, ...options}),
    text: () => readFileSync(path, 'utf8'),
    write: (text) => writeFileSync(path, text),
    forge(change) {
      const [body = ''] = change(readFileSync(path, 'utf8')).split(/^ {2}"digest"/m)
      const digest = createHash('sha256').update(body).digest('hex')
      writeFileSync(path, `${body}  "digest": "${digest}"\n}\n`)
    },
  }
}

function toHead({operation, file, reading}: Compared): PlanHead {
  return {
    operation,
    command: operation.replaceAll('.', ' '),
    toolVersion: '0.1.0',
    created: '2024-07-30T18:07:05.000Z',
    asOf: new Date().toISOString(),
    target: {profile: 'sandbox', stage: 'v2.1', baseUrl: 'http://127.0.0.1:4010'},
    input: reading ? {name: file, sha256: '0'.repeat(64), format: reading.format, delimiter: ','} : null,
    options: {setSize: 500, onError: 'stop', bisectBudget: 40, atomic: false, canary: null, replace: false},
  }
}
