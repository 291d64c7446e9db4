import {writeOperation} from '../../contract/index.js'
import {version} from '../../core/version.js'
import type {TextCell, TextPage} from '../../formats/write/html/text-page.js'
import {counted, thousands} from '../../values/counted.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {RowList} from '../rows/cut-sets.js'
import {countToSend, type RowChange} from '../rows/phases.js'
import {idOf, isNew, nameOf, placeOf, writtenKey} from '../rows/row-content.js'
import {type DiffLine, describeSums, toDiffCells, toDiffLines, toWords} from './diff-lines.js'
import {commandToSend, type PlanDocument} from './read-plan-document.js'

/** What people are shown of a plan, in whatever format. */
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
  const {head, digest, plan, changes, records} = document
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
      ['to send it', commandToSend(document)],
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

/** What is sent, beside the record before; all of a record that is sent although there was none. */
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
        return toCells([field, 'not found', toWords(value)])
      })
    return Object.entries(changes.get(idText(id)) ?? {}).map(([field, value]) => {
      const {now = null, new: next = null} = toRecord(value)
      diff.push({...known, field, from: now, to: next})
      return toCells([field, toWords(now), toWords(next)])
    })
  })
  return {headers: ['id', 'name', 'field', 'now', 'new'], rows, diff: toDiffLines(diff)}
}

function toRecord(value: JsonValue): JsonRecord {
  return isRecord(value) ? value : {}
}

function listRecords(rows: RowList): Pick<PlanView, 'headers' | 'rows'> {
  const sent = rows.filter(({skip}) => skip === undefined)
  const records = sent.map(({record}) => record)
  const headers = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const toCell = (value: JsonValue | undefined) => (value === undefined ? '' : toWords(value))
  return {
    headers: ['line', ...headers],
    rows: sent.map(({line}, place) => [`${line}`, ...headers.map((name) => toCell(records[place]?.[name]))]),
  }
}
