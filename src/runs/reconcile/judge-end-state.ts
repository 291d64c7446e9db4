import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {countRecords, type Judgement, type SentSet} from './judgement.js'

/**
 * Looks at records that were to reach their end state, by the digits of their ids. One that was there before and is gone
 * needs it no more; one that was never seen is left to the service, which refuses what does not exist.
 */
export function judgeEndState({write, records, before}: SentSet, now: ReadonlyMap<string, JsonRecord>): Judgement {
  const {flag = '', done = ''} = write.endState ?? {}
  const keys = records.map(({id}) => idText(id))
  const isGone = (key: string) => !now.has(key) && before.has(key)
  const isDone = (key: string) => now.get(key)?.[flag] === true
  const gone = keys.filter(isGone).length
  const already = keys.filter((key) => isDone(key) && before.get(key)?.[flag] === true).length
  const open = keys.flatMap((key, index) => (isDone(key) || isGone(key) ? [] : [index]))
  const evidence = [
    `${keys.filter(isDone).length} of ${countRecords(keys.length, write)} ${done}`,
    already > 0 ? `${already} of them before this run` : '',
    gone > 0 ? `${gone} no longer there` : '',
  ]
    .filter(Boolean)
    .join(', ')
  const seen = open.every((index) => now.has(keys[index] ?? ''))
  return open.length === 0 ? {kind: 'applied', ids: [], evidence} : {kind: 'open', open, seen, evidence}
}
