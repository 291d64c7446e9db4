import {fateNames} from '../bulk/fates.js'
import type {LoadedRun} from '../bulk/load-run.js'
import type {BulkReport} from '../bulk/report.js'
import {describeRecord, isInDoubt, rowsInDoubt, type SetAccount} from '../bulk/run-account.js'
import {findOperation, writeOperation} from '../contract/index.js'
import {toSafeText} from '../formats/safe-text.js'
import {toTimeText} from '../state/run-folder.js'

export type Letter = {loaded: LoadedRun; sets: readonly SetAccount[]; report: Pick<BulkReport, 'rows'>}

const rowsShown = 10
const setsShown = 20

/** What is known and what is not of a run that is in doubt or was not finished, and what to do about it. */
export function renderLetter(letter: Letter): string {
  const {sets, report} = letter
  const doubt = sets.some(isInDoubt)
  return [
    'What happened',
    ...indent(sets.slice(0, setsShown).map((set) => `${toPlace(letter, set)}: ${historyOf(set)}`)),
    ...indent(sets.length > setsShown ? [`… and ${sets.length - setsShown} more sets (all of them with --json)`] : []),
    '',
    'What is known',
    ...indent(known(report)),
    ...(doubt ? ['', 'What is not known', ...indent(notKnown(letter))] : []),
    '',
    'What to do now',
    ...indent(doubt ? cureDoubt(letter) : sendRest(letter)),
    '',
    'What happens if you do nothing',
    ...indent(ifNothing(letter, doubt)),
  ].join('\n')
}

function toPlace({loaded}: Letter, {set, part, lines}: SetAccount): string {
  return toSafeText(
    `${part === null ? '' : 'part of '}set ${set}, ${loaded.facts.file}:${[...new Set(lines)].join('–')}`,
  )
}

const outcomes = {confirmed: 'applied', rejected: 'refused', closed: 'closed'} as const

/** When it was sent and what was answered, in the order of time. */
function historyOf({state, sentAt, changedAt, why, how}: SetAccount): string {
  const sent = sentAt === null ? '' : `sent ${toTimeText(sentAt)}`
  if (state === 'planned') return sent ? `${sent}, and proven not applied: ${why}` : 'not sent'
  if (isInDoubt({state})) return `${sent}; in doubt: ${why}`
  const when = changedAt === null ? '' : `, ${toTimeText(changedAt)}`
  const word = state === 'sent' || state === 'inDoubt' ? state : outcomes[state]
  return [sent, `${word}${how === null || how === 'answer' ? '' : ` (known by ${how})`}${when}: ${why}`]
    .filter(Boolean)
    .join('; ')
}

function known({rows}: Letter['report']): string[] {
  return [
    fateNames
      .filter((fate) => fate !== 'inDoubt')
      .map((fate) => `${fate} ${rows[fate]}`)
      .join(' · '),
  ]
}

function notKnown({loaded}: Letter): string[] {
  const {plan, facts} = loaded
  const rows = rowsInDoubt(loaded)
  const what = rows.length === 1 ? 'this row was' : `these ${rows.length.toLocaleString('en')} rows were`
  return [
    `Whether ${what} applied. They were sent, and no answer proves anything about them:`,
    ...rows
      .slice(0, rowsShown)
      .map(({line, record}) => toSafeText(`  ${facts.file}:${line}  ${describeRecord(plan.operation, record)}`)),
    ...(rows.length > rowsShown ? [`  … all of them: vendorctl runs results ${facts.id} --where _fate=inDoubt`] : []),
  ]
}

function cureDoubt({loaded, sets}: Letter): string[] {
  const {id, operation} = loaded.facts
  const probe = findOperation(writeOperation(loaded.plan.operation).reconcile.probe)
  const how = probe
    ? `It reads the records back (${probe.command}) and compares them with what was sent.`
    : 'It sends the same set again: what exists already is refused, so that nothing is doubled.'
  const hasRest = sets.some(({state}) => state === 'planned')
  return [
    `1. vendorctl runs reconcile ${id}`,
    `   ${how}`,
    ...(hasRest ? [`2. vendorctl runs resume ${id}`, '   It sends the sets that were not sent.'] : []),
    `If you have looked yourself: vendorctl runs reconcile ${id} --assume applied|not-applied`,
    `Do not send these rows by another ${operation.replaceAll('.', ' ')} before.`,
  ]
}

function sendRest({loaded}: Letter): string[] {
  return [`vendorctl runs resume ${loaded.facts.id}`, '  It sends the sets that were not sent, and no other row.']
}

function ifNothing({loaded, report}: Letter, doubt: boolean): string[] {
  const {file} = loaded.facts
  const {unsent} = report.rows
  return [
    'Nothing is sent by itself, and this journal is not tidied away.',
    ...(doubt ? ['The rows in doubt stay as they are at the service, applied or not.'] : []),
    ...(unsent > 0 ? [`${unsent.toLocaleString('en')} ${unsent === 1 ? 'row stays' : 'rows stay'} unsent.`] : []),
    ...(doubt ? [toSafeText(`Whoever sends ${file} from elsewhere may write the rows in doubt a second time.`)] : []),
  ]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
