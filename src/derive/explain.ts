import {type FailureRow, failureCodes} from '../contract/failure-codes.js'
import {
  type Again,
  allOperations,
  type Changed,
  type ExitName,
  exitCodeOf,
  exitNames,
  type GatewayAnswer,
  gatewayAnswers,
  type InputProblem,
  inputProblems,
  type Refusal,
  type RowCode,
  refusals,
  rowCodes,
} from '../contract/index.js'
import {suggest} from '../values/suggest.js'

export type Explanation = {
  kind: 'refusal' | 'gateway' | 'exit' | 'problem' | 'row' | 'failure'
  /** The code of a refusal, a problem of a file, a row or a failure; or the name of a gateway answer or exit code. */
  code: string
  /** HTTP status, or exit code; of a problem the one that it ends in. */
  number: number
  meaning: string
  /** Changes at the service. */
  changed: string
  /** Whether the same may be sent again. */
  again: string
  hint: string
  /** Commands that may be refused with the code; empty for the other kinds. */
  commands: string[]
}

export type Explained = {found: Explanation[]; suggestion?: string}

/**
 * Explanations of any code by name, or of an exit code or HTTP status by number, which may mean several. Without regard
 * to case, spaces, `-` and `_`. Nothing found: the nearest known code as a suggestion, if any.
 */
export function explain(code: string): Explained {
  const plain = toPlain(code)
  const known = all()
  const exact = known.filter((row) => row.code === code)
  if (exact.length > 0) return {found: exact}
  const found = known.filter((row) => toPlain(row.code) === plain || (hasNumber(row) && String(row.number) === plain))
  if (found.length > 0) return {found}
  const suggestion = suggest(code, knownCodes())
  return suggestion === undefined ? {found} : {found, suggestion}
}

/** A number means a refusal, a gateway answer or an exit code; many problems and failures share an exit code. */
function hasNumber({kind}: Explanation): boolean {
  return kind === 'refusal' || kind === 'gateway' || kind === 'exit'
}

/** Every code that `explain` knows by name, exit names last. */
export function knownCodes(): string[] {
  return all().map(({code}) => code)
}

function all(): Explanation[] {
  return [
    ...Object.entries(refusals).map(([code, refusal]) => toRefusalExplanation(code, refusal)),
    ...Object.entries(gatewayAnswers).map(([code, answer]) => toGatewayExplanation(code, answer)),
    ...Object.entries(inputProblems).map(([code, problem]) => toProblemExplanation(code, problem)),
    ...Object.entries(rowCodes).map(([code, row]) => toRowExplanation(code, row)),
    ...Object.entries(failureCodes).map(([code, row]) => toFailureExplanation(code, row)),
    ...exitNames.map(toExitExplanation),
  ]
}

const changedWords: Record<Changed, string> = {
  none: 'Nothing: a refused set is rolled back completely.',
  some: 'Some records.',
  unknown: 'Unknown: a write with this answer may or may not have been applied.',
}

const againWords: Record<Again, string> = {
  never: 'No: the same request would be refused again. Fix the cause first.',
  afterLogin: 'Yes, after a login.',
  afterWait: 'Yes, after a wait.',
  afterReconcile: 'A read: yes. A write: only with vendorctl runs reconcile, which reads the records back first.',
}

function toRefusalExplanation(code: string, {status, about, changed, again, hint}: Refusal): Explanation {
  const commands = allOperations.filter(({refuses}) => refuses.includes(code)).map(({command}) => command)
  const words = {meaning: about, changed: changedWords[changed], again: againWords[again], hint}
  return {kind: 'refusal', code, number: status, ...words, commands}
}

function toGatewayExplanation(code: string, {message, ...refusal}: GatewayAnswer): Explanation {
  const explanation = toRefusalExplanation(code, refusal)
  return {...explanation, kind: 'gateway', meaning: `${message}: ${explanation.meaning}`}
}

function toProblemExplanation(code: string, {about, hint}: InputProblem): Explanation {
  const {code: number, changed, again} = exitCodeOf('invalid')
  return {kind: 'problem', code, number, meaning: about, changed, again, hint, commands: []}
}

/** The exit of a run with rows of a code; that of a refusal unless named here. */
const exitOfRow: Partial<Record<keyof typeof rowCodes, ExitName>> = {
  UNCHANGED: 'ok',
  APPLIED_BEFORE: 'ok',
  CONTINUED: 'ok',
  CHANGED_SINCE: 'incomplete',
}

function toRowExplanation(code: string, {about, ...words}: RowCode): Explanation {
  const exit = exitOfRow[code as keyof typeof rowCodes] ?? 'refused'
  return {kind: 'row', code, number: exitCodeOf(exit).code, meaning: about, ...words, commands: []}
}

function toFailureExplanation(code: string, {exit, about}: FailureRow): Explanation {
  return {...toExitExplanation(exit), kind: 'failure', code, meaning: about}
}

function toExitExplanation(name: ExitName): Explanation {
  const {code, about, changed, again, hint} = exitCodeOf(name)
  return {kind: 'exit', code: name, number: code, meaning: about, changed, again, hint, commands: []}
}

function toPlain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
    .replace(/^exit(code)?/, '')
}
