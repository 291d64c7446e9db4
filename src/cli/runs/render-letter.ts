import {readOperation, writeOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {BulkReport} from '../../runs/report/report.js'
import {describeRecord, isInDoubt, rowsInDoubt, type SetAccount} from '../../runs/report/run-account.js'
import type {LoadedRun} from '../../runs/resume/left-sets.js'
import {hasRefusedCanary} from '../../runs/resume/left-sets.js'
import {fateNames} from '../../runs/send/fates.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'

export type Letter = {
  loaded: LoadedRun
  sets: readonly SetAccount[]
  report: Pick<BulkReport, 'rows'>
  /** The run was given to another machine: nothing is sent for it here. */
  isElsewhere?: boolean
}

const rowsShown = 10
const groupsShown = 20

/** What is known and what is not of a run that is in doubt or was not finished, and what to do about it. */
export function renderLetter(letter: Letter): string {
  const {sets, report} = letter
  const doubt = sets.some(isInDoubt)
  return [
    'What happened',
    ...indent(tellSets(letter)),
    '',
    'What is known',
    ...indent(known(report)),
    ...(doubt ? ['', 'What is not known', ...indent(notKnown(letter))] : []),
    '',
    'What to do now',
    ...indent(whatToDo(letter, doubt)),
    '',
    'What happens if you do nothing',
    ...indent(ifNothing(letter, doubt)),
  ].join('\n')
}

/** What happened to the sets, those next to each other that fared alike in one line, those in doubt in any case. */
function tellSets(letter: Letter): string[] {
  const groups = groupAlike(letter.sets)
  const shown = groups.filter(([set], place) => place < groupsShown || (set && isInDoubt(set)))
  const hidden = letter.sets.length - shown.slice(0, 2 * groupsShown).flat().length
  return [
    ...shown.slice(0, 2 * groupsShown).flatMap((sets) => tellGroup(letter, sets)),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'set')} more (all of them with --json)`] : []),
  ]
}

function groupAlike(sets: readonly SetAccount[]): SetAccount[][] {
  const groups: SetAccount[][] = []
  for (const set of sets) {
    const last = groups.at(-1)?.at(-1)
    if (last && isAlike(last, set)) groups.at(-1)?.push(set)
    else groups.push([set])
  }

  return groups
}

/** Sets that were answered as applied, and sets that were never sent, have nothing of their own to tell. */
function isAlike(one: SetAccount, other: SetAccount): boolean {
  const isPlain = ({part, state, how, sentAt}: SetAccount) =>
    part === null && ((state === 'confirmed' && how === 'answer') || (state === 'planned' && sentAt === null))
  return isPlain(one) && isPlain(other) && one.state === other.state
}

function tellGroup({loaded}: Letter, sets: readonly SetAccount[]): string[] {
  const [first, last] = [sets.at(0), sets.at(-1)]
  if (!first || !last) return []
  const which = first === last ? `set ${first.set}` : `sets ${first.set}–${last.set}`
  const lines = [...new Set([first.lines[0], last.lines[1]])].join('–')
  const time = first.sentAt === null ? '' : `, sent ${first === last ? '' : 'from '}${toTimeText(first.sentAt)}`
  return [
    `${first.part === null ? '' : 'part of '}${which}, ${loaded.facts.file}:${lines}: ${fateOf(first)}${time}`,
    ...reasonsOf(first).map((reason) => `  ${reason}`),
  ].map(toSafeText)
}

const fates = {
  confirmed: 'applied',
  rejected: 'refused',
  closed: 'closed',
  sent: 'in doubt',
  inDoubt: 'in doubt',
} as const

function fateOf({state, how, sentAt}: SetAccount): string {
  if (state === 'planned') return sentAt === null ? 'not sent' : 'proven not applied'
  return `${fates[state]}${how === null || how === 'answer' || isInDoubt({state}) ? '' : ` (known by ${how})`}`
}

function reasonsOf(set: SetAccount): string[] {
  if (isInDoubt(set)) return set.doubts
  const isPlain = isAlike(set, set)
  return isPlain || set.why === '' ? [] : [set.why]
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
  const what =
    rows.length === 1
      ? 'this row was applied. It was sent, and no answer proves anything about it:'
      : `these ${thousands(rows.length)} rows were applied. They were sent, and no answer proves it:`
  return [
    `Whether ${what}`,
    ...rows
      .slice(0, rowsShown)
      .map(({line, record}) => toSafeText(`  ${facts.file}:${line}  ${describeRecord(plan.operation, record)}`)),
    ...(rows.length > rowsShown
      ? [`  … all of them: ${commandLine('runs results', [facts.id], {where: '_fate=inDoubt'})}`]
      : []),
  ]
}

function whatToDo(letter: Letter, doubt: boolean): string[] {
  if (letter.isElsewhere) return takeBack(letter)
  return doubt ? cureDoubt(letter) : sendRest(letter)
}

function takeBack({loaded}: Letter): string[] {
  return [
    'Go on with it where its file was imported, or take it back with the file that goes on with it:',
    '   vendorctl runs import FILE',
    'Only if that file is lost and no machine uses it:',
    `   ${commandLine('runs export', [loaded.facts.id, 'FILE'])}, then import that`,
  ]
}

function cureDoubt({loaded, sets}: Letter): string[] {
  const {id, operation} = loaded.facts
  const {probe} = writeOperation(loaded.plan.operation)
  const how =
    'read' in probe
      ? `It reads the records back (${readOperation(probe.read).command}) and compares them with what was sent.`
      : 'It sends the same set again: what exists already is refused, so that nothing is doubled.'
  const hasRest = sets.some(({state}) => state === 'planned')
  return [
    `1. ${commandLine('runs reconcile', [id])}`,
    `   ${how}`,
    ...(hasRest ? [`2. ${commandLine('runs resume', [id])}`, '   It sends the sets that were not sent.'] : []),
    'If you have looked yourself, say what you saw:',
    `   ${commandLine('runs reconcile', [id], {assume: 'applied'})}`,
    `   ${commandLine('runs reconcile', [id], {assume: 'not-applied'})}`,
    `Do not send these rows by another ${operation.replaceAll('.', ' ')} before.`,
  ]
}

function sendRest({loaded}: Letter): string[] {
  if (hasRefusedCanary(loaded))
    return [
      'Its first rows (--canary) were refused, so that runs resume sends none of the others.',
      'Mend them and give the same command again. What was refused:',
      `  ${commandLine('runs results', [loaded.facts.id])}`,
    ]
  return [commandLine('runs resume', [loaded.facts.id]), '  It sends the sets that were not sent, and no other row.']
}

function ifNothing({loaded, report, isElsewhere}: Letter, doubt: boolean): string[] {
  if (isElsewhere) return ['Nothing is sent from here, and this journal is not tidied away.']
  const {file} = loaded.facts
  const {unsent} = report.rows
  return [
    'Nothing is sent by itself, and this journal is not tidied away.',
    ...(doubt ? ['The rows in doubt stay as they are at the service, applied or not.'] : []),
    ...(unsent > 0 ? [`${counted(unsent, 'row')} ${unsent === 1 ? 'stays' : 'stay'} unsent.`] : []),
    ...(doubt ? [toSafeText(`Whoever sends ${file} from elsewhere may write the rows in doubt a second time.`)] : []),
  ]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
