import type {ErrorCode} from '../../contract/failure-codes.js'
import {type ExitName, type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {makeRunId, type RunFolder} from '../../core/run-id.js'
import {readingOf} from '../../formats/read/row.js'
import {idText} from '../../values/record-key.js'
import {isSameService} from '../../values/service.js'
import {digestOf, findSameInput, type InputSource, openSource} from '../check/input-source.js'
import {toSignedText} from '../differences/changes.js'
import type {PartState} from '../journal/journal-entries.js'
import {withJournalIfSound} from '../journal/open-journal.js'
import {listRunIds} from '../journal/run-folder.js'
import {outdated, planOfDocument, type RunOfPlan} from '../plan/apply-plan.js'
import {plannedAt} from '../plan/plan-document.js'
import {type PlanDocument, readPlanDocument} from '../plan/read-plan-document.js'
import {type EqualChange, findEqualChanges} from '../reconcile/probe-adjustments.js'
import type {Reader} from '../records/read-current.js'
import type {RunReport} from '../report/report.js'
import {toRowCopies} from '../report/row-copies.js'
import type {PlannedRow, RowList} from '../rows/cut-sets.js'
import {filterRows} from '../rows/packed-rows.js'
import type {AppliedPlan, Compared} from '../rows/phases.js'
import {idOf, recordsById} from '../rows/row-content.js'
import type {Needs} from './needs.js'

/** A plan file that is to be applied, and what it must fit. */
export type PlanAsked = {
  path: string
  operation: WriteId
  /** The command that applies it, in words. */
  command: string
  /** SHA-256 of the file in hex, where somebody names it. */
  digest: string | undefined
  /** The input that it was made of, where somebody names it. */
  file: string | undefined
  service: {baseUrl: string; stage: string}
  /** The runs of this user. */
  folder: RunFolder
  /** Who approved the plan, where somebody must. Throws `unsafe` where nobody did. */
  approve(document: PlanDocument): Promise<AppliedPlan['approved']>
}

/** The plan of a file, and what its rejects and results are copied from. */
export type OpenedPlan = {copies: Pick<RunReport, 'copies'>; plan(needs: Needs): Promise<Compared>}

/** Opens a plan to apply it. Throws a `CliFailure` when it does not fit. */
export async function openPlan(asked: PlanAsked): Promise<OpenedPlan> {
  const {path} = asked
  if (path === '-') throw unfit('A plan is applied from a file, not from standard input.', 'USAGE')
  const document = await readPlanDocument(path)
  checkDigest(document, asked.digest)
  checkOperation(document, asked.operation, asked.command)
  checkTarget(document, asked.service)
  const approved = await asked.approve(document)
  const input = await findInput(document, asked.file)
  const earlier = findRunOfPlan(asked.folder, document.digest, document.head.created)
  const applies = {...toApplied(document, input), approved}
  return {
    copies: toCopies(document, path, input),
    plan: async ({service}) => {
      const plan = await planOfDocument(document, {client: service.client, applies, earlier})
      return withTraceRead(document, plan, service.client)
    },
  }
}

/** Answers of a service that keeps no trace, or does not show all of it. */
const untraced: readonly ExitName[] = ['denied', 'refused', 'incomplete']

/**
 * Differences would be added once more to the current values. Throws a `CliFailure` (incomplete) where the service
 * shows that a person made the same change since the plan was made, most likely by this plan on another machine.
 */
async function withTraceRead(document: PlanDocument, plan: Compared, client: Reader): Promise<Compared> {
  const write = writeOperation(plan.operation)
  if (write.probe.kind !== 'adjustments' || plan.sets.length === 0) return plan
  const rows = filterRows(plan.rows, ({skip}) => skip === undefined)
  const before = recordsById(plan.operation, rows, plan.before?.records ?? new Map())
  const set = {write, records: rows.map(({record}) => record), before}
  const probing = {client, now: systemClock.now()}
  const changes = await findEqualChanges(probing, write.probe, set, plannedAt(document.head)).catch(
    (error: unknown) => {
      if (!(error instanceof CliFailure) || !untraced.includes(error.exit)) throw error
      return error
    },
  )
  if (changes instanceof CliFailure) {
    const notice = `it is not known whether ${document.path} was applied on another machine: ${changes.message}`
    return {...plan, notices: [...plan.notices, notice]}
  }
  if (changes.length > 0) throw appliedElsewhere(document, rows, changes)
  return plan
}

function appliedElsewhere(document: PlanDocument, rows: RowList, changes: readonly EqualChange[]): CliFailure {
  const write = writeOperation(document.plan.operation)
  const drifts = changes.map(({index, size, person, at}) => {
    const row = rows.at(index) as PlannedRow
    const why = `was changed by ${toSignedText(size)} at ${at} by user ${person}, which is what the plan does`
    return {row, id: idText(idOf(row, write)), why}
  })
  const failure = outdated(document, drifts, null)
  failure.hints.unshift('If another machine applied this plan, nothing is left to send.')
  return failure
}

function toApplied({digest, head}: PlanDocument, input: Input | undefined): Omit<AppliedPlan, 'approved'> {
  const {sha256 = null, encoding = null} = head.input ?? {}
  return {digest, inputDigest: sha256, encoding, path: input?.path ?? null}
}

type Input = {path: string; source: InputSource}

/**
 * The input of the plan, when it is there as it was. Throws `invalid` when a file is named that is another one; a file
 * that is only gone or changed is not needed.
 */
async function findInput({head, path}: PlanDocument, file: string | undefined): Promise<Input | undefined> {
  const {input} = head
  if (file === undefined) return input ? await findUnchanged(input.name, input.sha256) : undefined
  if (!input) throw unfit(`${path} was made without a file; nothing was sent.`, 'PLAN_INPUT', 'Leave out --file.')
  const source = await openSource(file)
  const found = await digestOf(file, source)
  if (found !== input.sha256) throw otherInput(path, file, input.sha256, found)
  return {path: file, source}
}

async function findUnchanged(path: string, inputDigest: string): Promise<Input | undefined> {
  const source = await findSameInput({path, inputDigest})
  return source && {path, source}
}

/** The source of rejects and results files: the original input, or else the rows of the plan. */
function toCopies({head, plan}: PlanDocument, path: string, input: Input | undefined): Pick<RunReport, 'copies'> {
  const reading = head.input && readingOf(head.input)
  if (!reading) return {}
  const options = {...reading, encoding: head.input?.encoding}
  return {copies: toRowCopies(plan, input?.source, options, input?.path ?? path)}
}

function checkDigest({path, digest}: PlanDocument, expected: string | undefined): void {
  if (expected === undefined || expected.trim().toLowerCase() === digest) return
  throw new CliFailure(`${path} is not the plan of --plan-digest; nothing was sent.`, {
    code: 'PLAN_EDITED',
    hints: [`SHA-256 of ${path}: ${digest}`, `See what it sends: ${commandLine('plan show', [path])}`],
  })
}

function checkOperation({path, head}: PlanDocument, operation: WriteId, command: string): void {
  if (head.operation === operation && head.command === command) return
  throw unfit(
    `${path} is a plan of ${head.command}, not of ${command}; nothing was sent.`,
    'PLAN_OPERATION',
    `Apply it with: ${commandLine(head.command, [], {'apply-plan': path})}`,
  )
}

function checkTarget({path, head}: PlanDocument, {baseUrl, stage}: PlanAsked['service']): void {
  const {target} = head
  if (isSameService(baseUrl, target.baseUrl) && stage === target.stage) return
  throw unfit(
    `${path} was made for ${target.baseUrl} (${target.stage}), but the profile names ${baseUrl} (${stage}); nothing was sent.`,
    'OTHER_TARGET',
    'Choose the profile and the stage of the plan with --profile and --stage.',
  )
}

function unfit(message: string, code: ErrorCode, hint = 'Name a file that --plan-out wrote.'): CliFailure {
  return new CliFailure(message, {code, exit: 'usage', hints: [hint]})
}

function otherInput(path: string, file: string, planned: string, found: string): CliFailure {
  return new CliFailure(`${file} is not the file that ${path} was made of; nothing was sent.`, {
    code: 'PLAN_INPUT',
    exit: 'invalid',
    hints: [
      `SHA-256 of the input of the plan: ${planned}`,
      `SHA-256 of ${file}: ${found}`,
      'Leave out --file to send the plan as it was made, or plan again to send the file.',
    ],
  })
}

/** The states of a part that was sent and not refused. */
const sentStates: readonly PartState[] = ['sent', 'confirmed', 'inDoubt']

/** The last run that sent something of a plan; `made` is when the plan was made. */
function findRunOfPlan(folder: RunFolder, digest: string, made: string): RunOfPlan | undefined {
  const first = makeRunId(Date.parse(made), () => 0)
  const ids = listRunIds(folder).filter((id) => id >= first)
  for (const id of ids.reverse()) {
    const run = readRun(folder, id, digest)
    if (run) return run
  }

  return undefined
}

/** Undefined for a run of another plan, and for one that cannot be read, which does not stop this one. */
function readRun(folder: RunFolder, id: string, digest: string): RunOfPlan | undefined {
  return withJournalIfSound(folder, id, (journal) => {
    if (journal.facts().planDigest !== digest) return undefined
    const wasSent = journal.parts().some(({state}) => sentStates.includes(state))
    return wasSent ? {id, isComplete: journal.outcome()?.exit === 'ok'} : undefined
  })
}
