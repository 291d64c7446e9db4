import type {Problem} from '../../validate/problem.js'
import {groupProblems, type ProblemGroup} from '../../validate/problem-groups.js'
import {counted} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import {thousands} from '../../values/thousands.js'

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
