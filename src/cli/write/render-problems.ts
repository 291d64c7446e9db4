import {type Problem, problemText} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import {thousands} from '../../values/thousands.js'

const problemsShown = 50

/** `sites.csv:14:3 error maxChargePrice: not an integer: "5,00"`, the first 50 of them, and how many more there are. */
export function renderProblems(problems: readonly Problem[]): string[] {
  const more = problems.length - problemsShown
  const lines = problems.slice(0, problemsShown).map(renderProblem)
  return more > 0 ? [...lines, `… and ${thousands(more)} more (all of them with --json)`] : lines
}

function renderProblem(problem: Problem): string {
  return `${placeText(problem)} ${problem.severity} ${problemText(problem)}`
}

/** The warnings of a file that was sent: the first 50, and where to find the others. */
export function describeWarnings(warnings: readonly Problem[]): string[] {
  const more = warnings.length - problemsShown
  const texts = warnings.slice(0, problemsShown).map((each) => `${placeText(each)} ${problemText(each)}`)
  return more > 0 ? [...texts, `… and ${thousands(more)} more; vendorctl lint --json shows all`] : texts
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
