import {basename, extname} from 'node:path'
import type {WriteId} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {isWorkbookName} from '../../formats/read/sniff.js'
import {toFixedPath} from '../../runs/check/input-source.js'
import {groupProblems, type Problem, type ProblemGroup} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import type {FlagValues} from '../app/flags.js'
import {givenInput, type inputFlags} from './input-flags.js'

const groupsShown = 50

/** `sites.csv:14:3 error maxChargePrice: not an integer: "5,00"`, one line for each kind and column. */
export function renderProblems(problems: readonly Problem[]): string[] {
  const render = ({first, message}: ProblemGroup) => `${placeText(first)} ${first.severity} ${message}`
  return renderGroups(problems, render, '(all of them with --json)')
}

/** The warnings of a file as sentences, and where to find those that are not shown. */
export function describeWarnings(warnings: readonly Problem[]): string[] {
  const render = ({first, message}: ProblemGroup) => `${placeText(first)} ${message}`
  return renderGroups(warnings, render, '(all of them with vendorctl lint --json)')
}

function renderGroups(problems: readonly Problem[], render: (group: ProblemGroup) => string, where: string): string[] {
  const groups = groupProblems(problems)
  const more = groups.slice(groupsShown).reduce((sum, {count}) => sum + count, 0)
  const lines = groups.slice(0, groupsShown).map(render)
  return more > 0 ? [...lines, `… and ${thousands(more)} more ${where}`] : lines
}

/** `2 errors and 1 warning` */
export function countProblems(problems: readonly Problem[]): string {
  const errors = problems.filter(({severity}) => severity === 'error').length
  const counts = [countOf(errors, 'error'), countOf(problems.length - errors, 'warning')].filter(Boolean)
  return counts.join(' and ') || 'no problems'
}

function countOf(count: number, word: string): string {
  return count === 0 ? '' : counted(count, word)
}

type Asked = {operation: WriteId; file: string; flags: FlagValues<typeof inputFlags>; problems: readonly Problem[]}

/** Commands of lint for a file with problems, with the input flags of this one. */
export function lintHints({operation, file, flags, problems}: Asked): string[] {
  if (problems.length === 0) return []
  const isSaved = toFixedPath(file) !== undefined
  const path = isSaved ? file : 'FILE'
  const lint = (flag: 'fix' | 'report', to: string) =>
    commandLine('lint', [path], {operation, ...givenInput(flags), [flag]: to})
  const end = isWorkbookName(path) ? '.xlsx' : extname(path) // no other workbook is written
  const out = (word: string, ending: string) =>
    isSaved ? `${basename(path, extname(path))}.${word}${ending}` : `OUT${ending}`
  const ofUnknown = problems.filter(({code}) => code === 'UNKNOWN_COLUMN')
  const unknown = new Set(ofUnknown.map(({columnName}) => columnName)) // a copy has them as they are
  const isCertain = ({write, columnName}: Problem) => write?.length === 1 && !unknown.has(columnName)
  const certain = problems.some(preventsCopy) ? 0 : problems.filter(isCertain).length
  const start = isSaved ? '' : 'Save the input as FILE. '
  const remedies = [...new Set(problems.flatMap(({remedy}) => remedy ?? []))]
  const isForeign = ofUnknown.some(({remedy}) => remedy === undefined)
  const isOther = problems.some(({code}) => code === 'MISSING_COLUMN') // the file may be meant for another write
  return [
    ...(isForeign && !isOther ? ['To leave out columns that are no field, add: --unknown-columns ignore'] : []),
    ...(remedies.length > 0 ? [`To read its columns that way, add: ${remedies.join(' ')}`] : []),
    ...(certain > 0
      ? [
          `${start}Fix ${certain} of ${counted(problems.length, 'problem')} in a copy: ${lint('fix', out('fixed', end))}`,
        ]
      : []),
    `${certain > 0 ? '' : start}See them in a spreadsheet, in colour: ${lint('report', out('problems', '.xlsx'))}`,
  ]
}

/** Problems that a copy would not show: the locale of a file that names none, cells of a workbook without a value. */
function preventsCopy({code, sheet}: Problem): boolean {
  return code === 'OTHER_LOCALE' || code === 'UNREADABLE_CELL' || (code === 'NAMELESS_COLUMN' && sheet !== undefined)
}
