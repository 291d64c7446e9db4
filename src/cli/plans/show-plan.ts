import {toLine, toMarkdown} from '../../formats/write/table/markdown.js'
import {version} from '../../http/version.js'
import {readPlanDocument} from '../../runs/plan/read-plan-document.js'
import {thousands} from '../../values/thousands.js'
import type {CommandContext} from '../app/command-context.js'
import type {ViewFormat} from '../app/flags.js'
import {withTarget} from '../read/text-target.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'
import type {ShowPlanFlags} from './plan-flags.js'
import {type PlanView, viewPlan} from './view-plan.js'

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
export async function toPage({title, facts, what, headers, rows}: PlanView): Promise<string> {
  const {renderPage} = await import('../../formats/write/html/page.js')
  const {renderTable} = await import('../../formats/write/html/table.js')
  const columns = headers.map((name) => ({name}))
  const caption = `${thousands(rows.length)} ${what}`
  const content = renderTable({caption, columns, rows})
  return renderPage({title, facts, sections: [{title: 'What it sends', content}], footer: [`vendorctl ${version()}`]})
}

async function toTable({title, facts, headers, rows}: PlanView): Promise<string> {
  const widest = Math.max(...facts.map(([name]) => name.length))
  const lines = facts.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}\n`)
  const table = rows.length === 0 ? '' : `\n${await simpleTable(headers, rows, process.stdout)}`
  return asShown(`${title}\n${lines.join('')}${table}`)
}

/** Values stand as code: in a comment nothing in them mentions a person, links elsewhere, or is markup. */
export function toComment({title, facts, what, headers, rows}: PlanView): string {
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
    const line = toLine(row.map(toCode))
    length += line.length
    if (length > longestComment) break
    lines.push(line)
  }
  const more = rows.length - lines.length
  return `${head}${lines.join('')}${more > 0 ? `\n… and ${thousands(more)} more ${what}.\n` : ''}`
}

function toCode(text: string): string {
  return text === '' ? '' : `<code>${toMarkdown(text)}</code>`
}
