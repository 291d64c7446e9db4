import {exitCodeOf, fateNames, isExitName} from '../../contract/index.js'
import {toIso, toTimeText} from '../../core/clock.js'
import {version} from '../../core/version.js'
import type {TextPage, TextSection, TextTable} from '../../formats/write/html/text-page.js'
import {counted, thousands} from '../../values/counted.js'
import {fateWords} from '../rows/phases.js'
import {nextStepOf, nextStepOfReport} from './next-step.js'
import {nextOf} from './run-account.js'
import {
  changedSection,
  evidenceTable,
  mostRows,
  type RunOnPage,
  refusedTables,
  rolledBackTable,
  rowTable,
  timelineTable,
  unsentTable,
} from './run-tables.js'

/** GitHub takes a summary of 1 MiB for a step. */
export const mostBytes = 1_000_000

/** The page about a run, done or planned, for other readers: figures that add up, rows, reasons, next steps. */
export function toRunPage(run: RunOnPage): TextPage {
  const {report, facts, now, runs} = run
  const {rows, dryRun} = report
  const room = {rows: mostRows}
  const all = fateNames.reduce((sum, fate) => sum + rows[fate], 0)
  const done = dryRun ? 'a dry run, nothing was sent' : `${thousands(rows.applied)} of ${counted(all, 'row')} applied`
  const sections = [
    ...nextSections(run),
    {title: 'Refused', isAlarm: true, tables: refusedTables(run, room)},
    {title: 'In doubt', isAlarm: true, tables: [evidenceTable(run, room), rowTable(run, 'inDoubt', room)]},
    {title: 'Rolled back', tables: [rolledBackTable(run, room)]},
    {title: 'Not sent', tables: dryRun ? [] : [unsentTable(run)]},
    changedSection(run, room),
    {title: 'Timeline', tables: runs.map((one) => timelineTable(one, runs.length > 1))},
  ]
  return {
    title: `${facts.command}: ${done}`,
    facts: toFacts(run).filter((fact): fact is [string, string] => fact[1] !== undefined),
    tiles: [
      {name: 'Rows', value: thousands(all), note: 'the sum of the others', isMain: true},
      ...fateNames.map((fate) => ({name: fateWords[fate], value: thousands(rows[fate])})),
    ],
    sections: sections
      .map(({tables = [], ...section}: TextSection) => ({...section, tables: tables.filter(isFilled)}))
      .filter(({tables, texts = []}) => tables.length + texts.length > 0),
    footer: [`vendorctl ${version()}, ${toIso(now)}`],
  }
}

function isFilled({rows, left = 0}: TextTable): boolean {
  return rows.length + left > 0
}

function toFacts({report, facts, account, runs, isNew = false}: RunOnPage): [string, string | undefined][] {
  const {user, host, profile, stage, baseUrl, keyFingerprint, createdAt, inputDigest, planDigest, approvedBy} = facts
  const {undoes, undoneBy = [], continues = [], continuedBy} = facts
  const {outcome} = account?.summary ?? {}
  const exit = isNew ? report.exit : (outcome?.exit ?? report.exit)
  const known = {continues, 'continued by': [continuedBy], undoes: [undoes], 'undone by': undoneBy}
  return [
    ['run', runs.map(({summary}) => summary.id).join(', ') || undefined],
    ['by', user === undefined ? undefined : `${user} on ${host}`],
    ['started', createdAt === undefined ? undefined : toTimeText(createdAt)],
    ['ended', outcome && toTimeText(outcome.endedAt)],
    ['result', isExitName(exit) ? `${exit} (exit code ${exitCodeOf(exit).code})` : exit],
    ['from', facts.file],
    ['SHA-256 of the file', inputDigest],
    ['SHA-256 of the plan', planDigest],
    ['approved by', approvedBy],
    ['service', baseUrl && `${baseUrl} (${stage}), profile ${profile}, key ${keyFingerprint}`],
    ['requests', outcome && thousands(outcome.requests)],
    ...Object.entries(known).map(([name, ids]): [string, string | undefined] => [name, ids.join(', ') || undefined]),
  ]
}

function nextSections({report, account, runs, isNew = false}: RunOnPage): TextSection[] {
  const {runId = '', rows, exit} = report
  const ofReport = () => nextStepOfReport(report) ?? nextStepOf('done', runId, {...rows, exit})
  const known = isNew ? ofReport() : account && nextOf(account)
  if (!known || runs.length === 0) return []
  const {text, command} = known
  return [{title: 'What to do next', texts: [text], ...(command && {command}), isAlarm: exit !== 'ok'}]
}
