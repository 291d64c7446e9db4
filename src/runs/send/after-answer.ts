import type {RefusalEntry, WriteAnswer} from '../../client/types.js'
import type {Write} from '../../contract/index.js'
import {type PlannedSet, type RowList, rowsOfSet} from '../rows/cut-sets.js'
import type {OnError} from '../rows/on-error.js'
import {createResolver} from '../rows/pointers.js'

export type AnswerContext = {
  rows: RowList
  operation: Write
  onError: OnError
  /** All rows in one set: nothing of it is sent alone. */
  atomic: boolean
  /** Sets that may still be sent to find blamed rows. */
  budgetLeft: number
}

/** What follows an answer: whether the run continues, and which parts of its set are sent first. */
export type AfterAnswer = {continues: boolean; parts: PlannedSet[]}

type Refused = Extract<WriteAnswer, {fate: 'refused'}>

const stops: AfterAnswer = {continues: false, parts: []}

/** Decides what follows an answer. A run never continues after a doubt, nor where no other row would fare better. */
export function afterAnswer(answer: WriteAnswer, set: PlannedSet, context: AnswerContext): AfterAnswer {
  if (answer.fate === 'applied') return {continues: true, parts: []}
  if (answer.fate !== 'refused') return stops
  const {onError, atomic, budgetLeft} = context
  const canHalve = set.places.length > 1
  if (isTooLarge(answer) && canHalve && !atomic) return {continues: true, parts: halve(set, 'half', answer)}
  if (onError === 'stop' || atomic || set.canary) return stops
  const blamed = findBlamed(answer.refusals, set, context)
  if (!isAboutRows(answer, blamed.size > 0 || onError === 'bisect')) return stops
  if (blamed.size > 0) return {continues: true, parts: restOf(set, blamed, answer)}
  if (onError === 'bisect' && canHalve && budgetLeft > 0) return {continues: true, parts: halve(set, 'bisect', answer)}
  return {continues: true, parts: []}
}

/** Whether the service would not even read a set for its size. */
export function isTooLarge(answer: WriteAnswer): boolean {
  return answer.fate === 'refused' && answer.status === 413
}

/** Places in the plan of the rows that a refusal of their set blames. */
function findBlamed(
  refusals: readonly RefusalEntry[],
  set: PlannedSet,
  {rows, operation}: Pick<AnswerContext, 'rows' | 'operation'>,
): Set<number> {
  const records = rowsOfSet(rows, set).map(({record}) => record)
  const {resource, identity, target, sentAs} = operation
  const blamed = new Set<number>()
  const resolve = createResolver({records, resource, identity, target, sentAs})
  for (const refusal of refusals) {
    for (const {indexes} of resolve(refusal)) {
      for (const index of indexes) blamed.add(set.places[index] ?? -1)
    }
  }

  return blamed
}

/** Statuses of a gateway, without a code of the service, that can be the fault of what was sent. */
const gatewayRefusesContent = new Set(['HTTP_400', 'HTTP_413', 'HTTP_422'])

/**
 * Whether other rows may fare better: not where the login, the key, the stage or the path is refused. Access to data
 * depends on the rows where the refusal names them, or where they are looked for.
 */
function isAboutRows({status, refusals}: Refused, canTellRows: boolean): boolean {
  if (status === 401 || (status >= 300 && status < 400)) return false
  if (status === 403) return canTellRows && refusals.every(({code}) => code === 'DATA_ACCESS')
  return refusals.every(({code}) => !code.startsWith('HTTP_') || gatewayRefusesContent.has(code))
}

function restOf(set: PlannedSet, blamed: ReadonlySet<number>, {refusals}: Refused): PlannedSet[] {
  const places = set.places.filter((place) => !blamed.has(place))
  return places.length === 0 ? [] : [{number: set.number, places, part: {kind: 'rest', refusal: refusals[0]}}]
}

/** The two halves of a set, in the order of the file. */
export function halve(set: PlannedSet, kind: 'half' | 'bisect', answer?: Refused): PlannedSet[] {
  const middle = Math.ceil(set.places.length / 2)
  const part = {kind, refusal: answer?.refusals[0]}
  return [set.places.slice(0, middle), set.places.slice(middle)].map((places) => ({...set, places, part}))
}
