import {allFieldsOf, type Write, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {version} from '../../core/version.js'
import type {TextCell, TextPage} from '../../formats/write/html/text-page.js'
import {counted, thousands} from '../../values/counted.js'
import {isDecimal} from '../../values/decimal.js'
import {sumChanges} from '../../values/decimal-sum.js'
import {type JsonValue, printJson, toRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {RowList} from '../rows/cut-sets.js'
import {countToSend, type RowChange} from '../rows/phases.js'
import {idOf, isNew, nameOf, placeOf, writtenKey} from '../rows/row-content.js'
import type {PlanDocument} from './read-plan-document.js'

/** The view of a plan for people, in any format. */
export type PlanView = {
  title: string
  facts: readonly (readonly [name: string, text: string])[]
  /** Changes of records, before → after; of a plan that makes new records, those. */
  what: string
  headers: readonly string[]
  rows: readonly (readonly string[])[]
  /** The same changes as people read them; of new records there are none. */
  diff?: readonly DiffLine[]
}

const idLetters = 16

/** A plan file as a person reads it before it is applied. */
export function viewPlan(document: PlanDocument): PlanView {
  const {path, head, digest, plan, changes, records} = document
  const {command, created, by, toolVersion, target, input, options} = head
  const write = writeOperation(plan.operation)
  const {words} = write
  const toSend = countToSend(plan)
  const unsent = plan.rows.length - toSend
  const compares = write.body !== 'create' && (records !== 'none' || changes.size > 0)
  const listed: Pick<PlanView, 'headers' | 'rows' | 'diff'> = compares ? listChanges(document) : listRecords(plan.rows)
  const fields = [...Map.groupBy(listed.rows, (row) => row.at(-3) ?? '')].map(
    ([field, {length}]) => `${field} ${thousands(length)}`,
  )
  return {
    title: `Plan: ${command}, ${counted(toSend, 'record')}`,
    facts: [
      ['made', `${created}${by === undefined ? '' : ` by ${by}`}, vendorctl ${toolVersion}`],
      ['service', `${target.baseUrl} (${target.stage}), profile ${target.profile}`],
      [
        'input',
        input
          ? `${input.name}, SHA-256 ${input.sha256.slice(0, idLetters)}…`
          : `${words.nouns} that were named or found`,
      ],
      ['rows', `${thousands(plan.rows.length)}: ${thousands(toSend)} to send, ${thousands(unsent)} not sent`],
      [
        'requests',
        `${counted(plan.sets.length, 'write')} and ${counted(plan.reads, 'read')}; on a refusal: ${options.onError}`,
      ],
      ['current records', {whole: 'all read', partly: 'some read', none: compares ? 'all read' : 'not read'}[records]],
      ...(compares && fields.length > 0 ? [['changes by field', fields.join(', ')] as const] : []),
      ...describeSums(listed.diff ?? [], write).map((text) => ['sum', text] as const),
      ['plan', `SHA-256 ${digest}`],
      ['to send it', commandLine(command, [], {'apply-plan': path, 'plan-digest': digest})],
    ],
    what: compares ? 'changes' : words.nouns,
    ...listed,
  }
}

/** The plan as a page, with every change. */
export function toPlanPage({title, facts, what, headers, rows, diff}: PlanView): TextPage {
  const names = diff ? ['', 'where', 'id', 'name', 'field', 'now', 'new'] : ['', ...headers]
  const table = {
    ...{caption: `${thousands(rows.length)} ${what}`, what, columns: names.map((name) => ({name}))},
    rows: diff ? diff.map(toDiffCells) : rows.map((row): TextCell[] => ['+', ...row]),
  }
  return {title, facts, sections: [{title: 'What it sends', tables: [table]}], footer: [`vendorctl ${version()}`]}
}

/** Changes against the record before; all of a record that is sent although there was none. */
function listChanges({plan, changes, preimages, records}: PlanDocument): Pick<PlanView, 'headers' | 'rows' | 'diff'> {
  const write = writeOperation(plan.operation)
  const diff: RowChange[] = []
  const rows = plan.rows.flatMap((row) => {
    if (row.skip) return []
    const id = idOf(row, write)
    const before = preimages.get(writtenKey(plan.operation, row.record))
    const {name = ''} = nameOf(before ?? row.record)
    const known = {line: row.line, id, name, ...placeOf(before ?? row.record)}
    const toCells = ([field, now, next]: readonly string[]) => [printJson(id), name, field ?? '', now ?? '', next ?? '']
    if (records !== 'none' && !before)
      return Object.entries(row.record).map(([field, value]) => {
        diff.push({...known, field, from: isNew(write, row.record) ? null : 'not found', to: value})
        return toCells([field, 'not found', toShown(value)])
      })
    return Object.entries(changes.get(idText(id)) ?? {}).map(([field, value]) => {
      const {now = null, new: next = null} = toRecord(value)
      diff.push({...known, field, from: now, to: next})
      return toCells([field, toShown(now), toShown(next)])
    })
  })
  return {headers: ['id', 'name', 'field', 'now', 'new'], rows, diff: toDiffLines(diff)}
}

function listRecords(rows: RowList): Pick<PlanView, 'headers' | 'rows'> {
  const sent = rows.filter(({skip}) => skip === undefined)
  const records = sent.map(({record}) => record)
  const headers = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const toCell = (value: JsonValue | undefined) => (value === undefined ? '' : toShown(value))
  return {
    headers: ['line', ...headers],
    rows: sent.map(({line}, place) => [`${line}`, ...headers.map((name) => toCell(records[place]?.[name]))]),
  }
}

/** `+` makes a record, or a value where none was; `-` deletes a record; `~` changes a value. */
export type Sign = '+' | '~' | '-'

/** One change as people read it. */
export type DiffLine = {
  /** Site or machine of the record, such as `site 1001`; empty where that is not known. */
  place: string
  sign: Sign
  id: string
  name: string
  field: string
  from: string
  to: string
}

/** Whether a record would be made, which has no id yet. */
export function isCreation({id, field}: Pick<RowChange, 'id' | 'field'>): boolean {
  return field === 'created' && id === null
}

/** Changes in the order of their rows, those of one place together. */
export function toDiffLines(changes: readonly RowChange[]): DiffLine[] {
  const lines = changes.map(({place = '', id, name = '', selection = '', field, from, to}): DiffLine => {
    const isDeletion = field === 'deleted' && to === true
    const isNew = isCreation({id, field})
    const texts = isDeletion || isNew ? {from: '', to: ''} : {from: toShown(from), to: toShown(to)}
    const sign = isDeletion ? '-' : isNew || (from === null && to !== null) ? '+' : '~'
    return {
      place,
      sign,
      id: id === null ? '' : toShown(id),
      field,
      name: [name, selection].filter(Boolean).join(' '),
      ...texts,
    }
  })
  return [...Map.groupBy(lines, ({place}) => place).values()].flat()
}

/** A text without quotes, so that it can be read; everything else, and the empty text, as JSON. */
export function toShown(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : printJson(value)
}

/** The part of a new value that differs from the old one, between what both begin and end with. */
export function findChanged(from: string, to: string): {start: string; changed: string; end: string} {
  const [old, now] = [Array.from(from), Array.from(to)]
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const cut = now.length - end
  return {start: now.slice(0, start).join(''), changed: now.slice(start, cut).join(''), end: now.slice(cut).join('')}
}

/** A change as cells of a page: its sign, place, id, name and field, and both values. */
export function toDiffCells({sign, place, id, name, field, from, to}: DiffLine): TextCell[] {
  const {start, changed, end} = findChanged(from, to)
  return [sign, place, id, name, field, from, sign !== '~' || start + end === '' ? to : {start, changed, end}]
}

/** `price 466.80 → 490.00 (+23.20), of 240`: sums of the amounts that change, field by field. */
export function describeSums(lines: readonly DiffLine[], {resource, words}: Write): string[] {
  const fields = allFieldsOf(resource)
  const amounts = lines.filter(
    ({field, from, to}) => fields[field]?.kind === 'decimal' && isDecimal(from) && isDecimal(to),
  )
  return [...Map.groupBy(amounts, ({field}) => field)].map(([field, those]) => {
    const {before, after, difference} = sumChanges(those.map(({from, to}) => [from, to]))
    const sign = difference.startsWith('-') ? '' : '+'
    const records = `${thousands(those.length)} ${those.length === 1 ? words.noun : words.nouns}`
    return `${field} ${before} → ${after} (${sign}${difference}), of ${records}`
  })
}
