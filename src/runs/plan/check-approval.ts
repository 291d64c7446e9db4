import {spawnSync} from 'node:child_process'
import {createHmac, hash, randomBytes, timingSafeEqual} from 'node:crypto'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {homedir, tmpdir} from 'node:os'
import {join} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {type CliFailure, usage} from '../../core/errors.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import type {AppliedPlan} from '../rows/phases.js'
import {
  type Approval,
  findObjection,
  notApproved,
  parseApproval,
  printApproval,
  type Signed,
  textToSign,
  toApproval,
} from './approval.js'
import type {PlanDocument} from './read-plan-document.js'

/** Approval rules of a profile, and the place of the key that signs for this user. */
export type ApprovalRules = {
  profile: string
  /** `none`, `required`, or `required:other` than who made the plan. */
  demands: string | undefined
  /** The file of those whose ssh keys count; undefined where no key does. */
  approvers: string | undefined
  stateFolder: () => string
}

export function approvalPath(plan: string): string {
  return `${plan}.approval`
}

/**
 * Writes for its owner alone, in place of an earlier one, that this user approves a plan; an ssh key may be named. Throws
 * `unsafe` for one that is not among the approvers.
 */
export function writeApproval(
  plan: string,
  approved: Parameters<typeof toApproval>[0],
  milliseconds: number,
  rules: ApprovalRules,
  key: string | undefined,
): Signed {
  const signed = sign(toApproval(approved, milliseconds), rules, key)
  if (rules.approvers !== undefined) findSigner(signed, rules)
  rmSync(approvalPath(plan), {force: true})
  writeFileSync(approvalPath(plan), printApproval(signed), {mode: 0o600, flag: 'wx'})
  return signed
}

const planFirst = ['Plan first: --dry-run --plan-out plan.json', `Then: ${commandLine('plan approve', ['plan.json'])}`]

/** The failure of a write without an approved plan, where the profile demands one. */
export function unapproved(profile: string, what: string, hints = planFirst): CliFailure {
  return notApproved(`profile ${profile} sends only plans that a person approved, and ${what}`, ...hints)
}

/** Who approved a plan that is about to be sent. Throws `unsafe` where nobody did, or not as the profile demands. */
export function checkApproval(
  document: PlanDocument,
  rules: ApprovalRules,
  key: string,
): NonNullable<AppliedPlan['approved']> {
  const path = approvalPath(document.path)
  const approve = commandLine('plan approve', [document.path])
  const again = `Approve again: ${approve}`
  if (!existsSync(path)) throw unapproved(rules.profile, `${path} is not there`, [`Approve it: ${approve}`])
  const signed = parseApproval(readFileSync(path, 'utf8'), path)
  const {approval} = signed
  const {baseUrl, stage} = document.head.target
  const by = findSigner(signed, rules, again)
  const why = findObjection(approval, {plan: document.digest, baseUrl, stage, key, now: systemClock.now()})
  if (why !== undefined) throw notApproved(`${path}: ${why}`, again)
  const {by: made} = document.head
  if (
    rules.demands === 'required:other' &&
    (made === undefined || isSamePerson(made, approval.by) || isSamePerson(made, by))
  )
    throw notApproved(`${path}: another person than ${made ?? 'who made the plan, who is not known,'} must approve it`)
  return {by, id: hash('sha256', textToSign(approval)), expires: new Date(approval.expires).toISOString()}
}

/** Users go by their names: the same person on another machine is nobody else. */
function isSamePerson(one: string, other: string): boolean {
  const nameOf = (text: string) => text.split('@', 1)[0]?.toLowerCase()
  return nameOf(one) === nameOf(other)
}

/** Approvals by ssh keys where the profile says whose count; else by a secret of this user on this machine. */
function sign(approval: Approval, {approvers, stateFolder}: ApprovalRules, key: string | undefined): Signed {
  const text = textToSign(approval)
  if (approvers === undefined && key === undefined) {
    const path = secretPath(stateFolder())
    return {approval, kind: 'machine', signature: toMac(text, readPrivateFile(path) ?? makeSecret(path))}
  }
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
function findSigner(
  {approval, kind, signature}: Signed,
  {approvers, stateFolder}: ApprovalRules,
  ...hints: string[]
): string {
  const text = textToSign(approval)
  if (kind === 'ssh') {
    if (approvers === undefined)
      throw notApproved('it is signed with an ssh key, and the profile has no approvers=PATH', ...hints)
    return inFolder((folder) => verifySsh({approvers, text, signature, hints}, folder))
  }
  if (approvers !== undefined) throw notApproved(`it is not signed by one of ${approvers}`, ...hints)
  const secret = readPrivateFile(secretPath(stateFolder()))
  const [mac, given] = [Buffer.from(secret ? toMac(text, secret) : ''), Buffer.from(signature)]
  if (mac.length === given.length && timingSafeEqual(mac, given)) return approval.by
  throw notApproved(
    'an approval without an ssh key is valid only for who gave it, on the same machine, and unchanged',
    ...hints,
  )
}

type ToVerify = {approvers: string; text: string; signature: string; hints: string[]}

function verifySsh({approvers, text, signature, hints}: ToVerify, folder: string): string {
  const file = join(folder, 'approval.sig')
  writeFileSync(file, signature)
  const found = sshKeygen(['-Y', 'find-principals', '-s', file, '-f', approvers])
  const principal = found.stdout.split('\n', 1)[0]?.trim() ?? ''
  if (found.status !== 0 || principal === '') throw notApproved(`it is signed by nobody of ${approvers}`, ...hints)
  const check = sshKeygen(['-Y', 'verify', '-f', approvers, '-I', principal, '-n', namespace, '-s', file], text)
  if (check.status === 0) return principal
  throw notApproved(`the signature of ${principal} does not fit: it was changed since`, ...hints)
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

const secretPath = (stateFolder: string) => join(stateFolder, 'approval-secret')

function makeSecret(path: string): string {
  const secret = randomBytes(32).toString('hex')
  writePrivateFile(path, secret)
  return secret
}

function toMac(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
