import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {toLine, toMarkdown} from '../../formats/write/table/markdown.js'
import {version} from '../../http/version.js'
import {type PlanDocument, readPlanDocument} from '../../runs/plan/read-plan-document.js'
import type {RowList} from '../../runs/rows/cut-sets.js'
import {countToSend, type RowChange} from '../../runs/rows/phases.js'
import {idOf, nameOf, placeOf, writtenKey} from '../../runs/rows/row-content.js'
import {counted, thousands} from '../../values/counted.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {CommandContext} from '../app/command-context.js'
import type {ViewFormat} from '../app/flags.js'
import {withTarget} from '../read/text-target.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'
import {type DiffLine, describeSums, findChanged, renderDiffLines, toDiffLines, toWords} from './diff-view.js'
import type {ShowPlanFlags} from './plan-flags.js'

/** A comment on GitHub holds 65,536 characters. */
const longestComment = 60_000

/** Shows what --plan-out wrote. Throws `invalid` for a file that is not a plan, or not as it was written. */
export async function showPlan(path: string, flags: ShowPlanFlags, context: CommandContext): Promise<void> {
  const document = await readPlanDocument(path)
  const view = viewPlan(document)
  const {title, facts, headers, rows} = view
  const {digest, plan} = document
  const data = {
    operation: plan.operation,
    digest,
    title,
    facts: Object.fromEntries(facts),
    headers: [...headers],
    rows: rows.map((row) => [...row]),
  }
  const format = formatOf(flags)
  await withTarget({...flags, output: format}, context, async (target) => {
    const text = await renderAs(format, view)
    if (target.path === undefined) return context.present({data, text})
    await target.write(text)
    await target.commit()
    await context.present({data})
  })
}

/** As asked, else by the name of the file. */
function formatOf({output, 'output-file': path = ''}: ShowPlanFlags): ViewFormat {
  if (output) return output
  if (/\.html?$/i.test(path)) return 'html'
  return /\.md$/i.test(path) ? 'markdown' : 'table'
}

async function renderAs(format: ViewFormat, view: PlanView): Promise<string> {
  if (format === 'html') return asShown(await toPage(view))
  return format === 'markdown' ? asShown(toComment(view)) : toTable(view)
}

/** The plan as a page of one file, with every change. */
export async function toPage(view: PlanView): Promise<string> {
  const {title, facts, what} = view
  const {renderPage} = await import('../../formats/write/html/page.js')
  const {renderTable} = await import('../../formats/write/html/html-table.js')
  const {html} = await import('../../formats/write/html/markup.js')
  const {headers, rows} = toSigned(view)
  const columns = headers.map((name) => ({name}))
  const caption = `${thousands(rows.length)} ${what}`
  const last = headers.length - 1
  const content = renderTable({
    ...{caption, columns},
    rows: rows.map((row) => {
      if (row[0] !== '~') return row
      const {start, changed, end} = findChanged(row[last - 1] ?? '', row[last] ?? '')
      return start + end === '' ? row : [...row.slice(0, last), html`${start}<mark>${changed}</mark>${end}`]
    }),
  })
  return renderPage({title, facts, sections: [{title: 'What it sends', content}], footer: [`vendorctl ${version()}`]})
}

async function toTable({title, facts, headers, rows, diff}: PlanView): Promise<string> {
  const widest = Math.max(...facts.map(([name]) => name.length))
  const lines = facts.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}\n`)
  const text = diff ? renderDiffLines(diff, process.stdout) : await simpleTable(headers, rows, process.stdout)
  const table = rows.length === 0 ? '' : `\n${text}`
  return asShown(`${title}\n${lines.join('')}${table}`)
}

/** Values stand as code: in a comment nothing in them mentions a person, links elsewhere, or is markup. */
export function toComment(view: PlanView): string {
  const {title, facts, what} = view
  const {headers, rows} = toSigned(view)
  const head = [
    `### ${toMarkdown(title)}\n\n`,
    toLine(['', '']),
    toLine(['---', '---']),
    ...facts.map(([name, text]) => toLine([toMarkdown(name), toCode(text)])),
    rows.length === 0 ? '' : `\n${toLine(headers.map(toCode))}${toLine(headers.map(() => '---'))}`,
  ].join('')
  const lines: string[] = []
  let length = head.length
  for (const row of rows) {
    const line = toLine(row.map((cell, at) => (at === 0 ? cell : toCode(cell))))
    length += line.length
    if (length > longestComment) break
    lines.push(line)
  }
  const more = rows.length - lines.length
  return `${head}${lines.join('')}${more > 0 ? `\n… and ${thousands(more)} more ${what}.\n` : ''}`
}

/** The rows with their signs and places in front. */
function toSigned({headers, rows, diff}: PlanView): Pick<PlanView, 'headers' | 'rows'> {
  if (!diff) return {headers: ['', ...headers], rows: rows.map((row) => ['+', ...row])}
  const cells = diff.map(({sign, place, id, name, field, from, to}) => [sign, place, id, name, field, from, to])
  return {headers: ['', 'where', 'id', 'name', 'field', 'now', 'new'], rows: cells}
}

function toCode(text: string): string {
  return text === '' ? '' : `<code>${toMarkdown(text)}</code>`
}

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
  const {path, head, digest, plan, changes, records} = document
  const {created, toolVersion, target, input, options} = head
  const write = writeOperation(plan.operation)
  const {command, words} = write
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
      ['made', `${created} by vendorctl ${toolVersion}`],
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
        diff.push({...known, field, from: 'not found', to: value})
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
