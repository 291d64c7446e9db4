import {createHash} from 'node:crypto'
import {isWriteId, planName, type Write, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openInput} from '../../formats/read/open-input.js'
import {readingOf} from '../../formats/read/row.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {readFieldRules} from '../check/field-changes.js'
import type {PlannedRow, PlannedSet} from './cut-sets.js'
import type {Plan} from './plan.js'
import {bodyDigest, type PlanHead, type PlanInput, type PreimagesRead} from './plan-document.js'
import {type PlanParts, readPlanParts} from './plan-lines.js'

/** A plan file that is as it was written. */
export type PlanDocument = {
  path: string
  /** SHA-256 of all of it, in hex; names the plan. */
  digest: string
  head: PlanHead
  plan: Plan
  /** What it was to change, by the digits of the id: `{field: {now, new}}`. */
  changes: ReadonlyMap<string, JsonRecord>
  records: PreimagesRead
  /** SHA-256 in hex of the records as they were, by the keys of pre-images. */
  preimages: ReadonlyMap<string, string>
}

/**
 * Reads a plan file. Throws a `CliFailure` (invalid) when it cannot be read, is not a plan, is of another version, or is not
 * as it was written.
 */
export async function readPlanDocument(path: string): Promise<PlanDocument> {
  const {bytes} = await openInput(path, process.stdin)
  const hash = createHash('sha256')
  const parts = await readPlanParts(bytes, (text) => hash.update(text))
  if (parts.schema === undefined) throw noPlan(path)
  if (parts.schema !== planName) throw otherVersion(path, parts.schema)
  const digest = hash.digest('hex')
  if (!parts.isComplete || parts.digest !== digest) throw edited(path)
  const document = toDocument(path, digest, parts)
  if (document === undefined) throw edited(path)
  const {plan} = document
  const differs = plan.sets.some((set, index) => bodyDigest(plan, set) !== parts.sets[index]?.['sha256'])
  if (differs) throw otherVersion(path, `version ${document.head.toolVersion} of this program`)
  return document
}

type StoredHead = PlanHead &
  Pick<Plan, 'merges' | 'reads' | 'dates'> & {columns: Record<string, number>; records: PreimagesRead}

/** Undefined when what every plan has is not there. */
function toDocument(path: string, digest: string, {head, rows, sets, preimages}: PlanParts): PlanDocument | undefined {
  const {operation, input} = head
  if (typeof operation !== 'string' || !isWriteId(operation)) return undefined
  if (!isRecord(head['target'] ?? null) || !isRecord(head['options'] ?? null)) return undefined
  if (!rows.every(isRow) || !sets.every((set) => isSet(set, rows.length))) return undefined
  const known = head as unknown as StoredHead
  const {merges, reads, dates, columns, records} = known
  const {change, round} = known.input?.flags ?? {}
  const changes = readFieldRules(operation, textsOf(change), textsOf(round)[0])
  const plan: Plan = {
    operation,
    file: input === null ? writeOperation(operation).words.nouns : String((input as JsonRecord)['name']),
    ...(known.input && readingOf(known.input)),
    layout: layoutOf(known.input),
    rows: rows.map(toRow),
    sets: sets.map(toSet),
    columns: new Map(Object.entries(columns)),
    warnings: [],
    notices: [],
    merges,
    ...(changes.length > 0 && {changes}),
    ...(dates && {dates}),
    reads,
  }
  const were = preimages.map(({key, sha256}): [string, string] => [String(key), String(sha256)])
  return {
    path,
    digest,
    head: known,
    plan,
    changes: toChanges(rows, writeOperation(plan.operation)),
    records,
    preimages: new Map(were),
  }
}

function textsOf(value: unknown): string[] {
  return [value ?? []].flat().map(String)
}

function layoutOf(input: PlanInput | null): Layout {
  const {sheet, shifts} = input ?? {}
  return {...(sheet !== undefined && {sheet}), ...(shifts && {shifts})}
}

function isRow({line, record}: JsonRecord): boolean {
  return Number.isInteger(line) && isRecord(record ?? null)
}

function isSet({number, rows}: JsonRecord, count: number): boolean {
  const isPlace = (place: JsonValue) => Number.isInteger(place) && Number(place) >= 0 && Number(place) < count
  return Number.isInteger(number) && Array.isArray(rows) && rows.every(isPlace)
}

function toRow({line, record, skip, by, given = null, content}: JsonRecord): PlannedRow {
  return {
    line: Number(line),
    record: record as JsonRecord,
    ...(typeof skip === 'string' && {skip: skip as NonNullable<PlannedRow['skip']>}),
    ...(typeof by === 'string' && {by}),
    ...(isRecord(given) && {given: given as JsonRecord}),
    ...(typeof content === 'string' && {digest: Buffer.from(content, 'hex')}),
  }
}

function toChanges(rows: readonly JsonRecord[], {target}: Pick<Write, 'target'>): Map<string, JsonRecord> {
  const changes = new Map<string, JsonRecord>()
  for (const {record, changes: known = null} of rows) {
    if (isRecord(known)) changes.set(idText((record as JsonRecord)[target]), known as JsonRecord)
  }

  return changes
}

function toSet({number, rows, canary}: JsonRecord): PlannedSet {
  return {number: Number(number), places: rows as number[], ...(canary === true && {canary: true as const})}
}

function noPlan(path: string): CliFailure {
  return new CliFailure(`${path} is not a plan file; nothing was sent.`, {
    code: 'NO_PLAN',
    exit: 'invalid',
    hints: ['Make one with: --dry-run --plan-out FILE'],
  })
}

function otherVersion(path: string, made: string): CliFailure {
  return new CliFailure(`${path} was made by ${made}, and this program applies ${planName}; nothing was sent.`, {
    code: 'PLAN_VERSION',
    exit: 'invalid',
    hints: ['Plan again with this program: --dry-run --plan-out FILE'],
  })
}

function edited(path: string): CliFailure {
  return new CliFailure(`${path} was edited, truncated or damaged after it was written; nothing was sent.`, {
    code: 'PLAN_EDITED',
    exit: 'invalid',
    hints: ['A plan is applied as it was made. To send something else, edit the input and plan again.'],
  })
}
