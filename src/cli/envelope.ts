import {envelopeName} from '../contract/index.js'
import type {ErrorEntry} from '../errors.js'
import {type JsonValue, printJson} from '../values/json.js'
import {redact} from './redact.js'

export type Fates = {applied: number; refused: number; rolledBack: number; inDoubt: number; unsent: number}

export type EnvelopeMeta = {
  profile?: string
  stage?: string
  rows?: Fates
  pages?: number
  requests?: {used: number; quotaLeft: number; quotaLeftIs: 'estimated' | 'counted'}
  truncated?: boolean
  range?: {asked: [string | null, string | null]; served: [string | null, string | null]}
}

export type Envelope = {
  ok: boolean
  command: string
  runId: string | null
  data: JsonValue
  meta: EnvelopeMeta
  warnings: string[]
  errors: ErrorEntry[]
}

/** The one object that `--json` prints, on success and on failure. */
export function printEnvelope(envelope: Envelope): string {
  const {ok, command, runId, data, meta, warnings, errors} = envelope
  const whole = {schema: envelopeName, ok, command, runId, data, meta, warnings, errors}
  return `${redact(printJson(whole as unknown as JsonValue, 2))}\n`
}
