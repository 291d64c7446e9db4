import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import {findRecord} from '../../values/json.js'

/** Statement of a person on a plan: this one may be sent once, to this service, until then. */
export type Approval = {
  schema: typeof approvalName
  /** SHA-256 of the plan file in hex. */
  plan: string
  baseUrl: string
  stage: string
  /** Fingerprint of the key that it may be sent with; null for any. */
  key: string | null
  /** Who approved it, as `user@host`. */
  by: string
  /** UTC, ISO 8601. */
  approved: string
  expires: string
}

/** `ssh`: by the key of a person. `machine`: by a secret of this user on this machine, which proves nothing elsewhere. */
export type Signed = {approval: Approval; kind: 'ssh' | 'machine'; signature: string}

export const approvalName = 'vendorctl-approval/1'

const fields = ['schema', 'plan', 'baseUrl', 'stage', 'key', 'by', 'approved', 'expires'] as const

/** Approval of a plan by this user, from now on. */
export function toApproval(of: Pick<Approval, 'plan' | 'baseUrl' | 'stage' | 'key'>, milliseconds: number): Approval {
  const {user, host} = identifyUser()
  const now = systemClock.now()
  const [approved, expires] = [now, now + milliseconds].map((time) => new Date(time).toISOString()) as [string, string]
  return {schema: approvalName, ...of, by: `${user}@${host}`, approved, expires}
}

/** The bytes that are signed. */
export function textToSign(approval: Approval): string {
  return `${JSON.stringify(Object.fromEntries(fields.map((name) => [name, approval[name]])))}\n`
}

export function printApproval({approval, kind, signature}: Signed): string {
  return `${JSON.stringify({...approval, kind, signature}, undefined, 2)}\n`
}

/** Throws `unsafe` for a text that is no approval. */
export function parseApproval(text: string, path: string): Signed {
  const {kind, signature, ...approval} = findRecord(text) ?? {}
  const isText = (value: unknown) => typeof value === 'string'
  const isWhole = fields.every((name) => isText(approval[name]) || (name === 'key' && approval[name] === null))
  if (!isWhole || approval['schema'] !== approvalName || !isText(signature) || (kind !== 'ssh' && kind !== 'machine'))
    throw notApproved(`${path} is no approval of this version of vendorctl`)
  return {approval: approval as Approval, kind, signature: String(signature)}
}

/** A plan that is about to be sent. */
export type ToSend = Pick<Approval, 'plan' | 'baseUrl' | 'stage'> & {key: string; now: number}

/** Clocks of two machines are no farther apart. */
const mostAheadMilliseconds = 300_000

/** Why an approval does not let a plan be sent; undefined where it does. Its signature was checked before. */
export function findObjection(
  {plan, baseUrl, stage, key, approved, expires}: Approval,
  to: ToSend,
): string | undefined {
  const [from, until] = [Date.parse(approved), Date.parse(expires)]
  if (plan !== to.plan) return 'it is of another plan, or the plan was changed since'
  if (baseUrl !== to.baseUrl || stage !== to.stage) return `it is for ${baseUrl} (${stage})`
  if (key !== null && key !== to.key) return `it is for the key ${key}, not for ${to.key}`
  if (!(from <= to.now + mostAheadMilliseconds)) return `it is of ${approved}, which is still to come by this clock`
  return until > to.now ? undefined : `it expired at ${expires}`
}

/** Nothing was sent, because nobody approved it as the profile demands. */
export function notApproved(why: string, ...hints: string[]): CliFailure {
  return new CliFailure(`Not approved: ${why}; nothing was sent.`, {code: 'NOT_APPROVED', hints})
}
