import type {Write} from '../contract/index.js'
import type {JsonRecord} from '../values/json.js'
import {idText} from '../values/record-key.js'
import {member} from './error-list.js'
import type {WriteAnswer} from './types.js'

/**
 * What changed records hold now, where they are changed by a number. An answer of other records than were named proves
 * nothing: a change by a number is never sent again on a guess.
 */
export function withChanged(
  {difference, target}: Pick<Write, 'difference' | 'target'>,
  sent: readonly JsonRecord[],
  answer: WriteAnswer,
): WriteAnswer {
  if (!difference || answer.fate !== 'applied') return answer
  const byId = new Map(answer.records.map((record) => [idText(member(record, 'id')), record]))
  const found = sent.map(({[target]: id}) => byId.get(idText(id))).filter((record) => record !== undefined)
  if (found.length === sent.length) {
    return {...answer, now: found.map((record) => member(record, difference.field) ?? null)}
  }
  const missing = sent.find(({[target]: id}) => !byId.has(idText(id)))
  const why = `answered with other records than were named: none has the id ${idText(missing?.[target])}`
  return {fate: 'inDoubt', why, refusals: []}
}
