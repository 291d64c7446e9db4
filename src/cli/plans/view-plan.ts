import {writeOperation} from '../../contract/index.js'
import {idOf} from '../../runs/check/row-content.js'
import type {RowList} from '../../runs/plan/cut-sets.js'
import {countToSend} from '../../runs/plan/plan.js'
import type {PlanDocument} from '../../runs/plan/read-plan-document.js'
import {counted} from '../../values/counted.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {thousands} from '../../values/thousands.js'
import {toWords} from '../write/render-plan.js'

/** What people are shown of a plan, in whatever format. */
export type PlanView = {
  title: string
  facts: readonly (readonly [name: string, text: string])[]
  /** Changes of records, before → after; of a plan that makes new records, those. */
  what: string
  headers: readonly string[]
  rows: readonly (readonly string[])[]
}

const idLetters = 16

/** A plan file as a person reads it before it is applied. */
export function viewPlan(document: PlanDocument): PlanView {
  const {head, digest, plan, changes, records} = document
  const {command, created, toolVersion, target, input, options} = head
  const {words} = writeOperation(plan.operation)
  const toSend = countToSend(plan)
  const unchanged = plan.rows.length - toSend
  const listed = changes.size > 0 ? listChanges(document) : listRecords(plan.rows)
  const fields = [...Map.groupBy(listed.rows, (row) => row.at(-3) ?? '')].map(
    ([field, {length}]) => `${field} ${length}`,
  )
  return {
    title: `Plan: ${command}, ${counted(toSend, 'record')}`,
    facts: [
      ['made', `${created} by vendorctl ${toolVersion}`],
      ['service', `${target.baseUrl} (${target.stage}), profile ${target.profile}`],
      [
        'input',
        input
          ? `${input.name}, SHA-256 ${input.sha256.slice(0, idLetters)}…`
          : `${words.nouns} that were named or found`,
      ],
      ['rows', `${thousands(plan.rows.length)}: ${thousands(toSend)} to send, ${thousands(unchanged)} unchanged`],
      [
        'requests',
        `${counted(plan.sets.length, 'write')} and ${counted(plan.reads, 'read')}; on a refusal: ${options.onError}`,
      ],
      [
        'current records',
        {whole: 'all read', partly: 'some read', none: changes.size > 0 ? 'all read' : 'not read'}[records],
      ],
      ...(changes.size > 0 ? [['changes by field', fields.join(', ')] as const] : []),
      ['plan', `SHA-256 ${digest.slice(0, idLetters)}…`],
    ],
    what: changes.size > 0 ? 'changes' : words.nouns,
    ...listed,
  }
}

function listChanges({plan, changes}: PlanDocument): Pick<PlanView, 'headers' | 'rows'> {
  const shown = new Set<string>()
  const write = writeOperation(plan.operation)
  const rows = plan.rows.flatMap((row) => {
    const {record} = row
    const named = idOf(row, write)
    const id = idText(named)
    const found = changes.get(id)
    if (!found || shown.has(id)) return []
    shown.add(id)
    return Object.entries(found).map(([field, value]) => {
      const {now = null, new: next = null} = toRecord(value)
      return [printJson(named), nameOf(record, found), field, toWords(now), toWords(next)]
    })
  })
  return {headers: ['id', 'name', 'field', 'now', 'new'], rows}
}

/** The name that the record has now. */
function nameOf({name = null}: JsonRecord, {name: changed = null}: JsonRecord): string {
  const {now = name} = toRecord(changed)
  return typeof now === 'string' ? now : ''
}

function toRecord(value: JsonValue): JsonRecord {
  return isRecord(value) ? value : {}
}

function listRecords(rows: RowList): Pick<PlanView, 'headers' | 'rows'> {
  const sent = rows.filter(({skip}) => skip === undefined)
  const records = sent.map(({record, given}) => given ?? record)
  const headers = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const toCell = (value: JsonValue | undefined) => (value === undefined ? '' : toWords(value))
  return {
    headers: ['line', ...headers],
    rows: sent.map(({line}, place) => [`${line}`, ...headers.map((name) => toCell(records[place]?.[name]))]),
  }
}
