import {toWriteBody} from '../../src/client/request.js'
import type {Client} from '../../src/client/types.js'
import {limits, type WriteId, writeOperation} from '../../src/contract/index.js'
import {systemClock} from '../../src/core/clock.js'
import type {RunFolder} from '../../src/core/run-id.js'
import type {ReadOptions} from '../../src/formats/read/read-rows.js'
import {checkRows} from '../../src/runs/check/check-file.js'
import type {CheckOptions} from '../../src/runs/check/row-rules.js'
import type {Journal} from '../../src/runs/journal/journal.js'
import {type LoadedRun, loadRun} from '../../src/runs/journal/load-run.js'
import type {SetJournal} from '../../src/runs/journal/run-journal.js'
import {resolveNames} from '../../src/runs/names/resolve-names.js'
import {planOfDocument, type RunOfPlan} from '../../src/runs/plan/apply-plan.js'
import {foundAlerts, messagesOf, planRows} from '../../src/runs/plan/plan-rows.js'
import type {PlanDocument} from '../../src/runs/plan/read-plan-document.js'
import type {RunReport} from '../../src/runs/report/report.js'
import {rowsOfSet} from '../../src/runs/rows/cut-sets.js'
import type {OnError} from '../../src/runs/rows/on-error.js'
import {
  type Agreed,
  type Before,
  type Checked,
  checkedRows,
  type Matched,
  type Messages,
  namedRows,
  type Planned,
  type Sending,
  unmatchedRows,
} from '../../src/runs/rows/phases.js'
import {toSent} from '../../src/runs/rows/row-content.js'
import type {Undo} from '../../src/runs/undo/plan-undo.js'
import {appliedOf, planUndoOf, withUnknown} from '../../src/runs/undo/undo.js'
import type {Files, Needs, RunRecord} from '../../src/runs/write/needs.js'
import {forecastResume, type ResumeNeeds, resume} from '../../src/runs/write/resume.js'
import {type RowSource, type WriteRequest, write} from '../../src/runs/write/write.js'
import type {JsonValue} from '../../src/values/json.js'

/** Makes the durable record of a run. */
export type MakeRecord = (agreed: Agreed, before: Before | null) => RunRecord

/** What a test gives a write, and does at its steps. */
export type FlowOptions = {
  client: Pick<Client, 'write' | 'readPages'>
  setSize?: number | undefined
  canary?: number | undefined
  atomic?: boolean | undefined
  onError?: OnError | undefined
  bisectBudget?: number | undefined
  dryRun?: boolean | undefined
  detailedExit?: boolean | undefined
  sendUnchanged?: boolean | undefined
  maximumRecords?: number | undefined
  monotonic?: (() => number) | undefined
  signal?: AbortSignal | undefined
  inform?: ((known: Messages) => void) | undefined
  recognise?: ((checked: Checked) => Promise<Matched>) | undefined
  confirm?: ((plan: Planned) => Promise<boolean>) | undefined
  /** A person answers for the plan. */
  isAsked?: boolean | undefined
  record?: MakeRecord | undefined
  keepPlan?: NonNullable<Files['keepPlan']> | undefined
  onProgress?: ((progress: {rowsDone: number}) => void) | undefined
}

export type BulkOptions = FlowOptions & ReadOptions & CheckOptions & {file: string; replace?: boolean | undefined}

type PlanFileOptions = Omit<BulkOptions, 'client'> & Partial<Pick<BulkOptions, 'client'>>

/** Reads and checks a file. */
export async function planFile(operation: WriteId, options: PlanFileOptions): Promise<Checked> {
  const {inform, names, client, sendUnchanged = false} = options
  const checked = await checkRows(operation, options)
  try {
    const named = client && names && (await resolveNames(operation, checked, names, client))
    return planRows(operation, checked, {...options, sendUnchanged, named, sending: toSending(options)})
  } catch (error) {
    inform?.(messagesOf(checked))
    throw error
  }
}

/** A write from a file. */
export function bulkFromFile(operation: WriteId, options: BulkOptions): Promise<RunReport> {
  const merges = writeOperation(operation).merge === 'full-replace' && options.replace !== true
  return writeRows(() => planFile(operation, {...options, merges}), options)
}

/** Clears alerts by id, or alerts that were found. */
export function clearAlerts(
  ids: readonly JsonValue[],
  options: FlowOptions,
  found?: Parameters<typeof foundAlerts>[1],
): Promise<RunReport> {
  const operation = 'alerts.clear'
  const records = ids.map((id) => ({id}))
  const named = () => checkedRows(namedRows(operation, records))
  return writeRows(
    async () => (found ? foundAlerts(operation, found, {dates: {}, sending: toSending(options)}) : named()),
    options,
  )
}

export type ApplyOptions = FlowOptions & {earlier?: RunOfPlan | undefined}

export function applyPlan(document: PlanDocument, options: ApplyOptions): Promise<RunReport> {
  const applies = {digest: document.digest, inputDigest: null, encoding: null, path: null, approved: null}
  return writeRows(() => planOfDocument(document, {earlier: undefined, ...options, applies}), options)
}

export type UndoOptions = FlowOptions & {
  onPlan?: ((undo: Undo) => Promise<void>) | undefined
  skipChanged?: boolean
  undone: ReadonlyMap<string, ReadonlySet<string>>
}

export async function undoRun(journal: Journal, loaded: LoadedRun, options: UndoOptions): Promise<RunReport> {
  const [{undo}] = await planUndoOf(appliedOf(loaded), journal, {
    ...{skipChanged: false, ...options},
    sending: toSending(options),
  })
  await options.onPlan?.(undo)
  return withUnknown(await writeRows(async () => undo.plan, options), undo, loaded.facts)
}

export type ResumeOptions = Pick<FlowOptions, 'client' | 'dryRun' | 'confirm' | 'signal' | 'onProgress'> &
  Pick<ResumeNeeds, 'settle'> & {folder: RunFolder}

export function resumeRun(journal: Journal, {folder, settle, dryRun, ...options}: ResumeOptions): Promise<RunReport> {
  const run = {folder, journal, loaded: loadRun(journal)}
  if (dryRun) return Promise.resolve(forecastResume(run))
  return resume(run, {...toNeeds(options), settle, serviceTime: () => undefined, requests: () => 0})
}

export function toSending(options: Partial<FlowOptions> & {replace?: boolean | undefined}): Sending {
  const {setSize = limits.defaultSetSize, atomic = false, canary = null, onError = 'stop'} = options
  const {bisectBudget = null, replace = false} = options
  return {setSize, atomic, canary, onError, bisectBudget, replace}
}

function writeRows(rows: RowSource, options: FlowOptions): Promise<RunReport> {
  const {dryRun = false, sendUnchanged = false, maximumRecords, detailedExit = false} = options
  const judge: WriteRequest['judge'] = (compared) => compared
  const request = {rows, dryRun, sendUnchanged, maxRecords: maximumRecords, detailedExit, judge}
  return write({...request, sending: toSending(options)}, toNeeds(options))
}

function toNeeds(options: FlowOptions): Needs {
  const {client, inform, recognise, confirm, record = unrecorded, keepPlan = null, onProgress, signal} = options
  const nothing = async () => undefined
  let rowsDone = 0
  return {
    service: {client, checkFits: nothing},
    store: {
      match: recognise ?? (async (checked) => unmatchedRows(checked)),
      leaveOut: async (uncut) => uncut,
      refuseRepeated: async () => null,
      quietTime: async () => 0,
      tellChanges: nothing,
      useApproval: nothing,
      record,
    },
    person: {
      tell: (known) => inform?.(known),
      warn: () => undefined,
      note: () => undefined,
      progress: () => undefined,
      showPlaces: nothing,
      showNew: nothing,
      willAnswer: () => options.isAsked ?? false,
      checkConsent: () => undefined,
      agrees: async (question) => confirm === undefined || confirm(question),
      watch: () => ({
        answered({set, again}) {
          rowsDone += set.places.length - (again?.size ?? 0)
          onProgress?.({rowsDone})
        },
        end: () => undefined,
      }),
    },
    files: {through: (bytes) => bytes, keepPlan, remedies: () => []},
    clock: {...systemClock, monotonic: options.monotonic ?? systemClock.monotonic},
    signal,
  }
}

/** A run of which nothing is kept. */
const unrecorded: MakeRecord = ({operation, rows}) => {
  const bodyOf: SetJournal['bodyOf'] = (set) =>
    toWriteBody(
      toSent(
        operation,
        rowsOfSet(rows, set).map(({record}) => record),
      ),
    )
  const nothing = () => undefined
  return {id: 'R1', sets: {bodyOf, sending: nothing, answered: nothing, cut: nothing}, end: nothing}
}
