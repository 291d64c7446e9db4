import {fateNames} from '../bulk/fates.js'
import type {BulkReport, RefusedRow} from '../bulk/report.js'
import {exitCodeOf} from '../contract/index.js'
import {toSafeText} from '../formats/safe-text.js'
import type {JsonValue} from '../values/json.js'
import {simpleTable} from './simple-table.js'

const refusalsShown = 50

/** What became of the rows of a file: the refusals, then the fates, then the next step. */
export async function renderReport(report: BulkReport): Promise<string> {
  const {refusals, rows, entries, exit} = report
  const shown = refusals.slice(0, refusalsShown)
  const more = refusals.length - shown.length
  const others = entries.filter((entry) => entry.line === undefined && entry.pointers === undefined)
  const hints = [...new Set(entries.map(({hint}) => hint).filter((hint) => hint !== undefined))]
  return [
    shown.length > 0 ? (await simpleTable(refusalHeaders, shown.map(toCells))).trimEnd() : '',
    more > 0 ? `… and ${more} more refusals (all of them with --json)` : '',
    ...others.map(({code, message}) => `${toSafeText(code)}: ${toSafeText(message)}`),
    `${toSafeText(report.file)}: ${fateNames.map((fate) => `${fate} ${rows[fate]}`).join(' · ')}`,
    changedWords(report),
    ...hints.map((hint) => `→ ${toSafeText(hint)}`),
    exit === 'ok' ? '' : `→ What exit code ${exitCodeOf(exit).code} means: vendorctl explain ${exitCodeOf(exit).code}`,
  ]
    .filter(Boolean)
    .join('\n')
}

const refusalHeaders = ['where', 'code', 'pointer', 'message', 'cell']

function toCells({file, line, column, lines, code, pointerName, pointer, message, cell}: RefusedRow): string[] {
  const place = lines
    ? `${file}:${[...new Set(lines)].join('–')}`
    : [file, line, column].filter((part) => part !== undefined).join(':')
  const pointed = pointer === undefined ? '' : [pointerName, pointer].filter((part) => part !== undefined).join(' ')
  return [place, code, pointed, message, cell ?? '']
}

function changedWords({rows, exit}: BulkReport): string {
  if (rows.inDoubt > 0) return 'It is not known whether the rows in doubt were applied. They were not sent again.'
  if (rows.applied > 0 && exit !== 'ok') return 'The applied rows stay; nothing else was changed.'
  return rows.applied === 0 ? 'Nothing was changed.' : ''
}

/** The report as data: what became of each row. */
export function toBulkData({operation, file, dryRun, sets, outcomes}: BulkReport): JsonValue {
  return {operation, file, dryRun, sets, rows: outcomes.map((outcome) => ({...outcome}))}
}
