import {appendFile, stat} from 'node:fs/promises'
import {exitNameOf} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import {toLine, toMarkdown} from '../../formats/write/table/markdown.js'
import {thousands} from '../../values/counted.js'
import {beginningOf} from '../../values/message-text.js'
import {placeText} from '../../values/place.js'

const errorsShown = 50
const longestText = 300
/** GitHub shows no summary of a step that is longer. */
const longestSummary = 1024 * 1024

/** Facts about a run besides its exit code, for its metrics and the summary of a workflow. */
export type Measures = {
  profile?: string | undefined
  /** Rows by outcome. */
  rows?: Readonly<Record<string, number>> | undefined
  requests?: {used: number; quotaLeft: number} | undefined
  grade?: string | undefined
  /** The file that was written, and its range. */
  file?: string | undefined
  range?: {asked: readonly (string | null)[]} | undefined
  /** Jobs of `jobs run`, which has no rows of its own; null for one that was not run. */
  jobs?: readonly {name: string; command: string; exit: number | null; seconds: number | null}[] | undefined
  /** Changes that a dry run found, as Markdown. */
  diff?: string | undefined
  /** Next steps, in sentences that end in a command. */
  next?: readonly string[] | undefined
}

export type Summarized = {
  command: string
  exit: number
  isDryRun: boolean
  errors: readonly ErrorEntry[]
  measures: Measures
}

/** Adds a text to the summary of a workflow step. Returns why it was not added; undefined when it was. */
export async function appendSummary(path: string, text: string): Promise<string | undefined> {
  try {
    const {size} = await stat(path).catch(() => ({size: 0}))
    const added = Buffer.from(text)
    if (size + added.length > longestSummary) return 'the summary of this step has no room left'
    await appendFile(path, added)
    return undefined
  } catch (error) {
    return `${path} cannot be written (${errorCodeOf(error)})`
  }
}

/** The end of a command, as Markdown: counts, changes of a dry run, refusals, and next steps. */
export function renderSummary({command, exit, isDryRun, errors, measures}: Summarized): string {
  const hints = errors.flatMap(({hint}) => hint?.split('\n') ?? [])
  const steps = [...new Set([...hints, ...(measures.next ?? [])])]
  const parts = [
    `### vendorctl ${toMarkdown(command)}${isDryRun ? ', dry run' : ''}: ${exitNameOf(exit)} (exit code ${exit})\n`,
    renderCounts(measures),
    measures.diff ?? '',
    measures.jobs ? '' : renderErrors(errors),
    steps.map((step) => `- ${toMarkdown(step)}\n`).join(''),
  ]
  return `${parts.filter(Boolean).join('\n')}\n`
}

function renderJobs(jobs: NonNullable<Measures['jobs']>): string {
  const rows = jobs.map(({name, command, exit, seconds}) => {
    return [
      name,
      command,
      exit === null ? 'not run' : `${exitNameOf(exit)} (${exit})`,
      seconds === null ? '' : `${seconds} s`,
    ]
  })
  return toTable(['job', 'command', 'end', 'time'], rows)
}

/** A table of the counts: one row, or a row for each of several jobs. */
function renderCounts({jobs, file, range, rows = {}, grade, requests, profile}: Measures): string {
  if (jobs) return renderJobs(jobs)
  const asked = range?.asked.filter((edge) => edge !== null) ?? []
  const cells = Object.entries({
    file,
    range: asked.length > 0 ? asked.join(' … ') : undefined,
    ...Object.fromEntries(Object.entries(rows).map(([fate, count]) => [fate, thousands(count)])),
    grade,
    requests: requests && thousands(requests.used),
    'quota left': requests && thousands(requests.quotaLeft),
    profile,
  }).filter((cell): cell is [string, string] => cell[1] !== undefined)
  const [names, texts] = [cells.map(([name]) => name), cells.map(([, text]) => text)]
  return cells.length === 0 ? '' : toTable(names, [texts])
}

function renderErrors(errors: readonly ErrorEntry[]): string {
  if (errors.length === 0) return ''
  const shown = errors.slice(0, errorsShown).map((entry) => [placeText(entry), entry.code, entry.message])
  const more = errors.length - shown.length
  const table = toTable(['where', 'code', 'message'], shown)
  return more > 0 ? `${table}\n… and ${thousands(more)} more.\n` : table
}

function toTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    headers,
    headers.map(() => '---'),
    ...rows.map((row) => row.map((text) => beginningOf(text, longestText))),
  ]
  return lines.map((line, place) => toLine(place === 1 ? line : line.map(toMarkdown))).join('')
}
