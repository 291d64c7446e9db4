import {createHash} from 'node:crypto'
import type {FilterValues} from '../../client/types.js'
import {isWriteId, planName, type Write, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openInput} from '../../formats/read/open-input.js'
import {readingOf} from '../../formats/read/row.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {type Layout, placeIn, placeText} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {readFieldRules} from '../check/field-changes.js'
import {type Agreed, agreedRows, type Batch, batchOf} from '../rows/phases.js'
import type {PlannedRow, PlannedSet} from './cut-sets.js'
import {diffRecords} from './diff.js'
import {mergeRecord} from './merge.js'
import {
  bodyDigest,
  changesById,
  changesSent,
  isComputed,
  type PlanHead,
  type PlanInput,
  type PreimagesRead,
  toCounts,
} from './plan-document.js'
import {type PlanParts, readPlanParts} from './plan-lines.js'
import {idOf} from './row-content.js'

/** A plan file that is as it was written. */
export type PlanDocument = {
  path: string
  /** SHA-256 of all of it, in hex; names the plan. */
  digest: string
  head: PlanHead
  plan: Agreed
  /** The dates that its records were searched by. */
  dates: FilterValues
  /** What it changes, by the digits of the id: `{field: {now, new}}`; computed from the records before and those it sends. */
  changes: ReadonlyMap<string, JsonRecord>
  records: PreimagesRead
  /** The records as they were, by natural key. */
  preimages: ReadonlyMap<string, JsonRecord>
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
  checkShown(document, parts)
  const {plan} = document
  const differs = plan.sets.some((set, index) => bodyDigest(plan, set) !== parts.sets[index]?.['sha256'])
  if (differs) throw otherVersion(path, `version ${document.head.toolVersion} of this program`)
  return document
}

type StoredHead = PlanHead &
  Pick<Batch, 'merges' | 'reads'> & {
    columns: Record<string, number>
    records: PreimagesRead
    dates?: FilterValues
  }

/** Undefined when what every plan has is not there. */
function toDocument(path: string, digest: string, {head, rows, sets, preimages}: PlanParts): PlanDocument | undefined {
  const {operation, input} = head
  if (typeof operation !== 'string' || !isWriteId(operation)) return undefined
  if (!isRecord(head['target'] ?? null) || !isRecord(head['options'] ?? null)) return undefined
  if (!rows.every(isRow) || !sets.every((set) => isSet(set, rows.length))) return undefined
  if (!preimages.every(({record = null}) => isRecord(record))) return undefined
  const known = head as unknown as StoredHead
  const {merges, reads, dates = {}, columns, records, options} = known
  const {change, round} = known.input?.flags ?? {}
  const changes = readFieldRules(operation, textsOf(change), textsOf(round)[0])
  const file = input === null ? writeOperation(operation).words.nouns : String((input as JsonRecord)['name'])
  const plan = agreedRows({
    ...batchOf(operation, file, rows.map(toRow)),
    ...{layout: layoutOf(known.input), reading: (known.input && readingOf(known.input)) ?? null},
    ...{sets: sets.map(toSet), columns: new Map(Object.entries(columns)), merges, changes, reads, sending: options},
  })
  const were = new Map(preimages.map(({key, record}) => [String(key), record as JsonRecord]))
  return {
    path,
    digest,
    head: known,
    plan,
    dates,
    changes: isComputed(plan)
      ? changesById(changesSent(plan, {records: were, isComplete: true}))
      : storedChanges(plan, rows),
    records,
    preimages: were,
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

function storedChanges({operation}: Agreed, rows: readonly JsonRecord[]): Map<string, JsonRecord> {
  const {target} = writeOperation(operation)
  const changes = new Map<string, JsonRecord>()
  for (const {record, changes: known = null} of rows) {
    if (isRecord(known)) changes.set(idText((record as JsonRecord)[target]), known as JsonRecord)
  }

  return changes
}

/** Throws `invalid` for a plan whose digests are right, but which shows something else than it sends. */
function checkShown({path, plan, changes, records}: PlanDocument, parts: PlanParts): void {
  const {operation, rows, sets} = plan
  const write = writeOperation(operation)
  const sent = sets.flatMap(({places}) => places)
  const isSent = new Set(sent)
  const wrong = [...rows].flatMap((row, place) => {
    const shown = printJson(parts.rows[place]?.['changes'] ?? null)
    const computed = printJson((row.skip ? undefined : changes.get(idText(idOf(row, write)))) ?? null)
    const lies = isSent.has(place) === (row.skip !== undefined) || shown !== computed || givesOther(row, write)
    return lies ? [placeText(placeIn(plan, row.line))] : []
  })
  if (wrong.length > 0) throw misleading(path, wrong)
  const isUnread = write.preimage === 'records' && sets.length > 0 && records !== 'whole'
  const isMiscounted = printJson(parts.head['counts'] ?? null) !== printJson(toCounts(plan))
  if (isUnread || isMiscounted || sent.length !== isSent.size) throw edited(path)
}

/** Whether a row says something else than its record, which is what is sent. */
function givesOther({record, given}: PlannedRow, {resource}: Write): boolean {
  return given !== undefined && diffRecords(record, mergeRecord(record, given, resource), resource, true).length > 0
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

const mostNamed = 5

function misleading(path: string, rows: readonly string[]): CliFailure {
  const named = `${rows.slice(0, mostNamed).join(', ')}${rows.length > mostNamed ? ', …' : ''}`
  return new CliFailure(`${path} shows something else than it sends: ${named}; nothing was sent.`, {
    code: 'PLAN_EDITED',
    exit: 'invalid',
    hints: ['Somebody edited it. Plan again, and ask where this file comes from.'],
  })
}

function edited(path: string): CliFailure {
  return new CliFailure(`${path} was edited, truncated or damaged after it was written; nothing was sent.`, {
    code: 'PLAN_EDITED',
    exit: 'invalid',
    hints: ['A plan is applied as it was made. To send something else, edit the input and plan again.'],
  })
}
