import {createHash} from 'node:crypto'
import type {FilterValues} from '../../client/types.js'
import {isWriteId, planName, type Write, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openInput} from '../../formats/read/open-input.js'
import {readingOf} from '../../formats/read/row.js'
import {newline} from '../../values/byte-codes.js'
import {findRecord, isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {type Layout, placeIn, placeText} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {readFieldRules} from '../check/field-changes.js'
import type {PlannedRow, PlannedSet, Skip} from '../rows/cut-sets.js'
import {diffRecords, mergeRecord} from '../rows/merge-fields.js'
import {type Agreed, agreedRows, type Batch, batchOf} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'
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

/** A plan file that is as it was written. */
export type PlanDocument = {
  path: string
  /** SHA-256 of all of it, in hex; names the plan. */
  digest: string
  head: PlanHead
  plan: Agreed
  /** The dates that its records were searched by. */
  dates: FilterValues
  /** Changes by the digits of the id: `{field: {now, new}}`; computed from the records before and those it sends. */
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
  if (parts.schema === undefined)
    throw new CliFailure(`${path} is not a plan file; nothing was sent.`, {
      code: 'NO_PLAN',
      hints: ['Make one with: --dry-run --plan-out FILE'],
    })
  if (parts.schema !== planName) throw otherVersion(path, nameMaker(parts))
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
  Pick<Batch, 'merges' | 'reads'> & {columns: Record<string, number>; records: PreimagesRead; dates?: FilterValues}

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
    ...(typeof skip === 'string' && {skip: skip as Skip}),
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

/** Whether a row gives something else than its record, which is sent. */
function givesOther({record, given}: PlannedRow, {resource}: Write): boolean {
  return given !== undefined && diffRecords(record, mergeRecord(record, given, resource), resource, true).length > 0
}

function toSet({number, rows, canary}: JsonRecord): PlannedSet {
  return {number: Number(number), places: rows as number[], ...(canary === true && {canary: true as const})}
}

/** Such as `vendorctl 2.0.0 (vendorctl-plan/3)`. */
function nameMaker({schema = '', head: {toolVersion}}: PlanParts): string {
  return typeof toolVersion === 'string' ? `vendorctl ${toolVersion} (${schema})` : schema
}

function otherVersion(path: string, made: string): CliFailure {
  return new CliFailure(`${path} was made by ${made}, and this program applies ${planName}; nothing was sent.`, {
    code: 'PLAN_VERSION',
    hints: ['Plan again with this program: --dry-run --plan-out FILE'],
  })
}

const mostNamed = 5

function misleading(path: string, rows: readonly string[]): CliFailure {
  const named = `${rows.slice(0, mostNamed).join(', ')}${rows.length > mostNamed ? ', …' : ''}`
  return new CliFailure(`${path} shows something else than it sends: ${named}; nothing was sent.`, {
    code: 'PLAN_EDITED',
    hints: ['Somebody edited it. Plan again, and ask where this file comes from.'],
  })
}

function edited(path: string): CliFailure {
  return new CliFailure(`${path} was edited, truncated or damaged after it was written; nothing was sent.`, {
    code: 'PLAN_EDITED',
    hints: ['A plan is applied as it was made. To send something else, edit the input and plan again.'],
  })
}

/** The parts of a plan file, unchecked. */
type PlanParts = {
  /** Undefined when the text does not begin as a plan does. */
  schema: string | undefined
  head: JsonRecord
  rows: JsonRecord[]
  sets: JsonRecord[]
  preimages: JsonRecord[]
  digest: string | undefined
  /** Whether the text has the layout of a plan up to its end. */
  isComplete: boolean
}

const lists = ['rows', 'sets', 'preimages'] as const
const longestStart = 1_000

/**
 * Reads a plan line by line, without holding all of its text; `hashed` is given what the digest covers. What does not have
 * the layout of a plan ends it. Time: linear in bytes; memory: all rows, sets and preimages.
 */
async function readPlanParts(bytes: AsyncIterable<Buffer>, hashed: (text: string) => void): Promise<PlanParts> {
  const lines = toLines(bytes)
  try {
    return await readParts(lines, hashed)
  } finally {
    await lines.return(undefined) // closes the file, where not all of it was read
  }
}

async function readParts(lines: AsyncGenerator<string>, hashed: (text: string) => void): Promise<PlanParts> {
  const parts: PlanParts = {
    ...{schema: undefined, head: {}, rows: [], sets: [], preimages: [], digest: undefined, isComplete: false},
  }
  const next = async (): Promise<string | undefined> => (await lines.next()).value
  const covered = async () => {
    const line = await next()
    if (line !== undefined) hashed(`${line}\n`)
    return line
  }

  let head = ''
  let line = await covered()
  for (; line !== undefined && line !== `  "${lists[0]}": [`; line = await covered()) {
    head += `${line}\n`
    // the name of the format comes first, also in a plan of a later version
    parts.schema ??= head.match(/^\s*\{\s*"schema"\s*:\s*"(vendorctl-plan\/[^"]{0,50})"/)?.[1]
    if (parts.schema === undefined && head.length >= longestStart) return parts
  }
  const found = findRecord(`${head.replace(/,\n$/, '\n')}}`)
  if (!found) return parts
  parts.head = found
  for (const list of lists) {
    if (line !== `  "${list}": [`) return parts
    for (line = await covered(); line !== '  ],'; line = await covered()) {
      const text = line?.trimStart().replace(/,$/, '') ?? ''
      const item = findRecord(text)
      if (!item || printJson(item) !== text) return parts // a repeated name shows a reader another value
      parts[list].push(item)
    }
    if (list !== lists.at(-1)) line = await covered()
  }
  const last = await next()
  parts.digest = last?.match(/^ {2}"digest": "(.*)"$/)?.[1]
  parts.isComplete = (await next()) === '}' && (await next()) === undefined
  return parts
}

async function* toLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let kept: Buffer[] = []
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...kept, chunk.subarray(start, end)]).toString()
      kept = []
      start = end + 1
    }
    kept.push(Buffer.from(chunk.subarray(start)))
  }

  const last = Buffer.concat(kept).toString()
  if (last !== '') yield last
}
