import {hash} from 'node:crypto'
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {CliFailure} from '../../core/errors.js'
import {
  type Approval,
  findObjection,
  parseApproval,
  printApproval,
  refuse,
  type Signed,
  textToSign,
} from '../../runs/plan/approval.js'
import type {PlanDocument} from '../../runs/plan/read-plan-document.js'
import type {AppliedPlan} from '../../runs/rows/phases.js'
import type {Environment} from '../app/environment.js'
import type {Resolved} from '../settings/settings.js'
import {findSigner, type Signing, sign} from './approval-signature.js'

/** Where the approval of a plan lies. */
export function approvalPath(plan: string): string {
  return `${plan}.approval`
}

/** Signs an approval and writes it for its owner alone, in place of an earlier one. Returns how it is signed. */
export function writeApproval(plan: string, approval: Approval, resolved: Resolved, signing: Signing): Signed['kind'] {
  const signed = sign(approval, resolved, signing)
  rmSync(approvalPath(plan), {force: true})
  writeFileSync(approvalPath(plan), printApproval(signed), {mode: 0o600, flag: 'wx'})
  return signed.kind
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
export function checkApproval(
  document: PlanDocument,
  {resolved, environment, key}: Sender,
): NonNullable<AppliedPlan['approved']> {
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
  return {by, id: hash('sha256', textToSign(approval)), expires: new Date(approval.expires).toISOString()}
}

/** Users go by their names: the same person on another machine is nobody else. */
function isSamePerson(one: string, other: string): boolean {
  const nameOf = (text: string) => text.split('@', 1)[0]?.toLowerCase()
  return nameOf(one) === nameOf(other)
}
