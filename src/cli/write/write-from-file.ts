import {stat} from 'node:fs/promises'
import type {ErrorCode} from '../../contract/failure-codes.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {makeRunId} from '../../core/run-id.js'
import {openInput} from '../../formats/read/open-input.js'
import {readingOf} from '../../formats/read/row.js'
import {type CheckedRows, checkNewRows, checkRows} from '../../runs/check/check-file.js'
import {type InputSource, openSource} from '../../runs/check/input-source.js'
import type {PartState} from '../../runs/journal/journal-entries.js'
import {withJournalIfSound} from '../../runs/journal/open-journal.js'
import {listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import type {NamedRows} from '../../runs/names/resolve-names.js'
import {type EarlierRun, planOfDocument} from '../../runs/plan/apply-plan.js'
import {toRowFileOfPlan} from '../../runs/plan/plan-document.js'
import {knownOf, planRows} from '../../runs/plan/plan-rows.js'
import {type PlanDocument, readPlanDocument} from '../../runs/plan/read-plan-document.js'
import type {RunReport} from '../../runs/report/report.js'
import type {AppliedPlan, Checked, Compared} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import type {RowSource} from '../../runs/write/write.js'
import {type Problem, problemText} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {placeIn, placeText} from '../../values/place.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {toText} from '../app/messages.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import {type Resolved, resolveSettings, toSettings} from '../settings/settings.js'
import {askTyped, canAsk} from '../terminal/prompt.js'
import {stopSignal} from '../terminal/signals.js'
import {type Chosen, findChosen} from './chosen-rows.js'
import {isCreation} from './diff-view.js'
import {runFolderOf, systemTimes} from './find-run.js'
import {toInputOptions} from './input-options.js'
import {planCommand, type WriteRequest} from './open-write.js'
import {writeRows} from './run-write.js'
import {toSending} from './sending-flags.js'
import type {ApplyFlags, SelectionFlags, WriteFlags} from './write-flags.js'

/** A bulk write from a file, or from a plan file. */
export async function writeFromFile(
  operation: WriteId,
  flags: SelectionFlags,
  context: CommandContext,
  named: readonly string[] = [],
): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  await writeRows({operation, flags, context}, await fromFile(operation, flags, findChosen(operation, flags, named)))
}

/** A write that changes the records of a file that exist, and makes the others. */
export async function applyFile(operation: WriteId, flags: ApplyFlags, context: CommandContext): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  const {creates} = writeOperation(operation)
  const named = creates ? [writeOperation(creates).identity.join(',')] : []
  const given = {...flags, match: flags.match ?? named}
  const near: Problem[] = []
  const rows = await fromFile(operation, given, undefined, {takesNew: true, near})
  await writeRows({operation, flags: given, context}, rows, undefined, (compared) => judgeNew(compared, near, flags))
}

/** What stops rows of such a write; on a terminal, a person may say that names which are nearly others are meant. */
async function judgeNew(compared: Compared, near: readonly Problem[], flags: ApplyFlags): Promise<Compared> {
  const {'no-create': noCreate, 'no-update': noUpdate, 'allow-similar': allowed, 'dry-run': dryRun} = flags
  const {comparison, problems} = compared
  const changes = comparison?.changes ?? []
  const refuse = (isRefused: typeof isCreation, code: Problem['code'], message: string) =>
    [...new Set(changes.filter(isRefused).map(({line}) => line))].map(
      (line): Problem => ({...placeIn(compared, line), severity: 'error', code, message}),
    )
  const refused = [
    ...(noCreate ? refuse(isCreation, 'NOT_TO_CREATE', 'its record does not exist (--no-create)') : []),
    ...(noUpdate
      ? refuse((change) => !isCreation(change), 'NOT_TO_UPDATE', 'it would change its record (--no-update)')
      : []),
  ]
  const isAsked = problems.length + refused.length === 0 && !dryRun && !flags.yes && canAsk(flags)
  const isMeant = near.length === 0 || allowed || (isAsked && (await askNear(near)))
  return {...compared, problems: [...problems, ...refused, ...(isMeant ? [] : near)]}
}

/** Rows above a question. */
const nearShown = 10

function askNear(near: readonly Problem[]): Promise<boolean> {
  const shown = near.slice(0, nearShown).map((problem) => `${placeText(problem)}: ${problemText(problem)}`)
  const more = near.length > nearShown ? [`… and ${thousands(near.length - nearShown)} more`] : []
  const above = toText([...shown, ...more])
  return askTyped(`Create ${counted(near.length, 'record')} all the same? Type "yes"`, 'yes', {above, isShown: false})
}

/**
 * The rows of a file, all of which are read and checked. Throws `usage` for wrong flags, and later `invalid` for a file with
 * problems, once its warnings were shown as well.
 */
export async function fromFile(
  operation: WriteId,
  flags: WriteFlags,
  chosen?: Chosen,
  {takesNew, near}: {takesNew: boolean; near: Problem[]} = {takesNew: false, near: []},
): Promise<(needs: Needs) => Promise<Checked>> {
  const {file = '-', 'send-unchanged': sendUnchanged, replace = false} = flags
  const input = await toInputOptions(operation, flags)
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  return async (needs) => {
    const {service, person, files} = needs
    const {rows, found: held = null} = (await chosen?.read(needs)) ?? {}
    const given = rows && {file: chosen?.name ?? '', format: 'json' as const, source: toBytes(rows)}
    const options = {...input, file, merges, through: files.through, signal: stopSignal(), ...given}
    const checked = await checkRows(operation, options)
    try {
      const {names, changes} = input
      const later = () => import('../../runs/names/resolve-names.js')
      const found =
        names && (await (await later()).resolveNames(operation, checked, {...names, takesNew}, service.client))
      const named = found && withNewRows(operation, checked, found)
      near.push(...(named?.problems ?? []).filter(({code}) => code === 'SIMILAR_RECORD'))
      const planned = planRows(operation, checked, {sending: toSending(flags), merges, sendUnchanged, named, changes})
      return held ? {...planned, found: held} : planned
    } catch (error) {
      person.tell(knownOf(checked))
      const {problems} = checked.checker
      if (error instanceof CliFailure && error.exit === 'invalid' && !checked.broken && !chosen)
        error.hints.unshift(...files.remedies(problems))
      throw error
    }
  }
}

/** New records need more of their rows than changed ones. */
function withNewRows(operation: WriteId, checked: CheckedRows, named: NamedRows): NamedRows {
  const {creates} = writeOperation(operation)
  if (!creates || named.fresh.length === 0) return named
  return {...named, problems: [...named.problems, ...checkNewRows(creates, checked, named.fresh)]}
}

async function* toBytes(rows: JsonRecord[]): AsyncGenerator<Buffer> {
  yield Buffer.from(printJson(rows))
}

/** Applies the plan of a file. Throws a `CliFailure` when the plan does not fit. */
export async function applyPlanFile(request: WriteRequest, path: string): Promise<void> {
  const {operation, flags, context} = request
  let copies: Pick<RunReport, 'copies'> = {}
  const rows: RowSource = async ({service}) => {
    if (path === '-') throw unfit('A plan is applied from a file, not from standard input.', 'USAGE')
    const document = await readPlanDocument(path)
    checkDigest(document, flags['plan-digest'])
    checkOperation(document, operation, planCommand(request))
    const resolved = resolveSettings(flags, context.environment)
    checkTarget(document, flags, resolved)
    const approved = await findApproval(document, resolved, request)
    const input = await findInput(document, flags.file)
    const {head, digest} = document
    const earlier = findRunOfPlan(context.environment, digest, head.created)
    copies = toCopies(document, path, input)
    return planOfDocument(document, {
      client: service.client,
      applies: {...toApplied(document, input), approved},
      earlier,
    })
  }
  await writeRows(request, rows, (report) => ({...report, ...copies}))
}

/** Who approved the plan, where the profile demands somebody. */
async function findApproval(document: PlanDocument, resolved: Resolved, {flags, context}: WriteRequest) {
  if (resolved.values.approval.value === 'none' || flags['dry-run']) return null
  const {environment} = context
  const {credentials} = await findCredentials(resolved, environment)
  const {checkApproval} = await import('./approve-plan.js')
  return checkApproval(document, {resolved, environment, key: fingerprint(credentials?.apiKey ?? '')})
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

async function findUnchanged(name: string, sha256: string): Promise<Input | undefined> {
  if ((await stat(name).catch(() => undefined))?.isFile() !== true) return undefined
  const source = await openSource(name)
  const found = await digestOf(name, source).catch(() => undefined)
  return found === sha256 ? {path: name, source} : undefined
}

async function digestOf(file: string, {through, digest}: InputSource): Promise<string> {
  const {bytes} = await openInput(file, process.stdin)
  for await (const _chunk of through(bytes));
  return digest()
}

/** What rejects and results files copy: the input as it was written, or else the rows that the plan holds. */
function toCopies({head, plan}: PlanDocument, path: string, input: Input | undefined): Pick<RunReport, 'copies'> {
  const reading = head.input && readingOf(head.input)
  if (!reading) return {}
  if (!input) return {copies: {rows: async () => toRowFileOfPlan(plan), checkSame: () => undefined, beside: path}}
  const {source} = input
  const rows = () => source.readAgain({...reading, encoding: head.input?.encoding})
  return {copies: {rows, checkSame: source.checkSame, beside: input.path}}
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

function checkTarget({path, head}: PlanDocument, flags: WriteFlags, resolved: Resolved): void {
  const {target} = head
  const {baseUrl, stage} = toSettings(resolved, flags)
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
function findRunOfPlan(environment: Environment, digest: string, made: string): EarlierRun | undefined {
  const folder = runFolderOf(environment)
  const first = makeRunId(Date.parse(made), () => 0)
  const ids = listRunIds(folder).filter((id) => id >= first)
  for (const id of ids.reverse()) {
    const run = readRun(folder, id, digest)
    if (run) return run
  }

  return undefined
}

/** Undefined for a run of another plan, and for one that cannot be read, which does not stop this one. */
function readRun(folder: RunFolder, id: string, digest: string): EarlierRun | undefined {
  return withJournalIfSound(folder, id, systemTimes, (journal) => {
    if (journal.facts().planDigest !== digest) return undefined
    const wasSent = journal.parts().some(({state}) => sentStates.includes(state))
    return wasSent ? {id, isComplete: journal.outcome()?.exit === 'ok'} : undefined
  })
}
