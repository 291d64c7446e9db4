import {type PlanView, toPlanPage, viewPlan} from '../../runs/plan/plan-view.js'
import {readPlanDocument} from '../../runs/plan/read-plan-document.js'
import type {CommandContext} from '../app/command-context.js'
import {presentView, type ViewFlags} from '../read/present-view.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'
import {renderDiffLines} from './diff-view.js'

/** A comment on GitHub has room for 65,536 characters. */
const longestComment = 60_000

/** Shows what --plan-out wrote. Throws `invalid` for a file that is not a plan, or not as it was written. */
export async function showPlan(path: string, flags: ViewFlags, context: CommandContext): Promise<void> {
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
  const shown = {text: () => toTable(view), page: () => toPlanPage(view), mostBytes: longestComment}
  await presentView(flags, context, {data}, shown)
}

async function toTable({title, facts, headers, rows, diff}: PlanView): Promise<{safe: string}> {
  const widest = Math.max(...facts.map(([name]) => name.length))
  const lines = facts.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}\n`)
  const text = diff ? renderDiffLines(diff, process.stdout) : await simpleTable(headers, rows, process.stdout)
  return {safe: `${asShown(`${title}\n${lines.join('')}`)}${rows.length === 0 ? '' : `\n${text}`}`}
}
