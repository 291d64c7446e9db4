import {spawnSync} from 'node:child_process'
import {createHmac, hash, randomBytes, timingSafeEqual} from 'node:crypto'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {homedir, tmpdir} from 'node:os'
import {join} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {toDuration} from '../../core/durations.js'
import {CliFailure, usage} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {
  type Approval,
  approvalName,
  findObjection,
  parseApproval,
  printApproval,
  refuse,
  type Signed,
  textToSign,
} from '../../runs/plan/approval.js'
import {type PlanDocument, readPlanDocument} from '../../runs/plan/read-plan-document.js'
import {countToSend} from '../../runs/rows/phases.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import type {FlagValues, globalFlags} from '../app/flags.js'
import {stateFolder} from '../app/folders.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import {type Resolved, resolveSettings, toSettings} from '../settings/settings.js'
import {askTyped, canAsk} from '../terminal/prompt.js'
import type {approveFlags} from './plan-flags.js'
import {showPlan} from './show-plan.js'

type ApproveFlags = FlagValues<typeof approveFlags & typeof globalFlags>

/** Shows a plan, asks for the number of its records, and writes who approved it beside it. Throws `usage` without a terminal. */
export async function approvePlan(path: string, flags: ApproveFlags, context: CommandContext): Promise<void> {
  const milliseconds = toDuration(flags.expires ?? '24h', 'expires')
  if (!canAsk(flags)) throw usage('A plan is approved by a person on a terminal, and there is none.')
  const document = await readPlanDocument(path)
  const {head, digest, plan} = document
  const {baseUrl, stage} = head.target
  const resolved = resolveSettings({profile: flags.profile ?? head.target.profile}, context.environment)
  const settings = toSettings(resolved, {})
  if (!isSameService(settings.baseUrl, baseUrl) || settings.stage !== stage)
    throw usage(`${path} is for ${baseUrl} (${stage}), and profile ${resolved.profile} is not.`, 'Name it: --profile')
  await showPlan(path, {output: 'table'}, context)
  const count = String(countToSend(plan))
  if (!(await askTyped(`Type ${count} to approve ${head.command} in ${resolved.profile}`, count)))
    throw new CliFailure('Cancelled; nothing was approved.', {code: 'NOT_CONFIRMED', exit: 'failure'})
  const {credentials} = await findCredentials(resolved, context.environment)
  const {user, host} = identifyUser()
  const now = systemClock.now()
  const approval: Approval = {
    ...{schema: approvalName, plan: digest, baseUrl, stage},
    ...{key: credentials ? fingerprint(credentials.apiKey) : null, by: `${user}@${host}`},
    ...{approved: new Date(now).toISOString(), expires: new Date(now + milliseconds).toISOString()},
  }
  const signed = sign(approval, resolved, {key: flags['ssh-key'], environment: context.environment})
  writePrivateFileBeside(approvalPath(path), printApproval(signed))
  const how = signed.kind === 'ssh' ? 'signed with your ssh key' : 'valid for you on this machine'
  context.messages.note(`${approvalPath(path)}: the approval, ${how}, until ${approval.expires}.`)
  context.messages.note(`→ Send it with: ${commandLine(head.command, [], {'apply-plan': path})}`)
}

function approvalPath(plan: string): string {
  return `${plan}.approval`
}

function writePrivateFileBeside(path: string, text: string): void {
  rmSync(path, {force: true})
  writeFileSync(path, text, {mode: 0o600, flag: 'wx'})
}

/** Throws `unsafe` for a write that has no plan, where the profile demands an approved one. */
export function refuseUnapproved(resolved: Resolved, what: string): void {
  if (resolved.values.approval.value !== 'none') throw unapproved(resolved, what)
}

function unapproved({profile}: Resolved, what: string): CliFailure {
  return refuse(
    `profile ${profile} sends only plans that a person approved, and ${what}`,
    'Plan first: --dry-run --plan-out plan.json',
    `Then: ${commandLine('plan approve', ['plan.json'])}`,
  )
}

type Sender = {resolved: Resolved; environment: Environment; key: string}

/** Who approved a plan that is about to be sent. Throws `unsafe` where nobody did, or not as the profile demands. */
export function checkApproval(document: PlanDocument, {resolved, environment, key}: Sender): {by: string; id: string} {
  const path = approvalPath(document.path)
  if (!existsSync(path)) throw unapproved(resolved, `${path} is not there`)
  const signed = parseApproval(readFileSync(path, 'utf8'), path)
  const {approval} = signed
  const {baseUrl, stage} = document.head.target
  const by = findSigner(signed, resolved, environment)
  const why = findObjection(approval, {plan: document.digest, baseUrl, stage, key, now: systemClock.now()})
  if (why !== undefined)
    throw refuse(`${path}: ${why}`, `Approve again: ${commandLine('plan approve', [document.path])}`)
  const {by: made} = document.head
  const isOther = resolved.values.approval.value === 'required:other'
  if (isOther && (made === undefined || isSamePerson(made, approval.by) || isSamePerson(made, by)))
    throw refuse(`${path}: another person than ${made ?? 'who made the plan, who is not known,'} must approve it`)
  return {by, id: hash('sha256', textToSign(approval))}
}

/** Users go by their names: the same person on another machine is nobody else. */
function isSamePerson(one: string, other: string): boolean {
  const nameOf = (text: string) => text.split('@', 1)[0]?.toLowerCase()
  return nameOf(one) === nameOf(other)
}

type Signing = {key?: string | undefined; environment: Environment}

/** Approvals by ssh keys where the profile says whose count; else by a secret of this user on this machine. */
function sign(approval: Approval, {values}: Resolved, {key, environment}: Signing): Signed {
  const text = textToSign(approval)
  if (values.approvers.value === undefined && key === undefined)
    return {approval, kind: 'machine', signature: toMac(text, machineSecret(environment) ?? makeSecret(environment))}
  const file = key ?? ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => join(homedir(), '.ssh', name)).find(existsSync)
  if (file === undefined) throw usage('There is no ssh key to sign with.', 'Name yours: --ssh-key PATH')
  return {approval, kind: 'ssh', signature: inFolder((folder) => signWith(file, text, folder))}
}

function signWith(key: string, text: string, folder: string): string {
  const path = join(folder, 'approval')
  writeFileSync(path, text)
  const {status, stderr} = sshKeygen(['-Y', 'sign', '-f', key, '-n', namespace, path], undefined, 'inherit')
  if (status !== 0)
    throw usage(`ssh-keygen could not sign with ${key}: ${stderr.trim()}`, 'Name another key: --ssh-key PATH')
  return readFileSync(`${path}.sig`, 'utf8')
}

/** Who signed an approval. Throws `unsafe` for a signature that does not count here. */
function findSigner({approval, kind, signature}: Signed, {values}: Resolved, environment: Environment): string {
  const text = textToSign(approval)
  const {value: approvers} = values.approvers
  if (kind === 'ssh') {
    if (approvers === undefined) throw refuse('it is signed with an ssh key, and the profile has no approvers=PATH')
    return inFolder((folder) => verifySsh({approvers, text, signature}, folder))
  }
  if (approvers !== undefined) throw refuse(`it is not signed by one of ${approvers}`)
  const secret = machineSecret(environment)
  const [mac, given] = [Buffer.from(secret ? toMac(text, secret) : ''), Buffer.from(signature)]
  if (mac.length === given.length && timingSafeEqual(mac, given)) return approval.by
  throw refuse('an approval without an ssh key is valid only for who gave it, on the same machine, and unchanged')
}

function verifySsh({approvers, text, signature}: {approvers: string; text: string; signature: string}, folder: string) {
  const file = join(folder, 'approval.sig')
  writeFileSync(file, signature)
  const found = sshKeygen(['-Y', 'find-principals', '-s', file, '-f', approvers])
  const principal = found.stdout.split('\n', 1)[0]?.trim() ?? ''
  if (found.status !== 0 || principal === '') throw refuse(`it is signed by nobody of ${approvers}`)
  const check = sshKeygen(['-Y', 'verify', '-f', approvers, '-I', principal, '-n', namespace, '-s', file], text)
  if (check.status === 0) return principal
  throw refuse(`the signature of ${principal} does not fit: it was changed since`)
}

const namespace = 'vendorctl-approval'

function sshKeygen(args: string[], input?: string, errors: 'pipe' | 'inherit' = 'pipe') {
  const {status, stdout, stderr, error} = spawnSync('ssh-keygen', args, {
    ...{encoding: 'utf8', input, timeout: 60_000},
    stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', errors],
  })
  if (error) throw usage(`ssh-keygen cannot be run: ${error.message}`, 'Install OpenSSH 8.2 or later.')
  return {status, stdout: stdout ?? '', stderr: stderr ?? ''}
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

const secretPath = (environment: Environment) => join(stateFolder(environment), 'approval-secret')

function machineSecret(environment: Environment): string | undefined {
  return readPrivateFile(secretPath(environment))
}

function makeSecret(environment: Environment): string {
  const secret = randomBytes(32).toString('hex')
  writePrivateFile(secretPath(environment), secret)
  return secret
}

function toMac(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
