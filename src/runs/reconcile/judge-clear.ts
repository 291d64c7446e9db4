import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import {keyOf} from '../plan/read-current.js'
import type {Judgement, Sent} from './judgement.js'

/**
 * Looks at alerts that were to be cleared, by the digits of their ids. One that was there before and is gone needs no
 * clearing any more; one that was never seen is left to the service, which refuses what does not exist.
 */
export function judgeClear({records, before}: Sent, now: ReadonlyMap<string, JsonRecord>): Judgement {
  const keys = records.map(({id}) => keyOf(id))
  const isCleared = (key: string) => now.get(key)?.['isCleared'] === true
  const gone = keys.filter((key) => !now.has(key) && before.has(key)).length
  const already = keys.filter((key) => isCleared(key) && before.get(key)?.['isCleared'] === true).length
  const open = keys.flatMap((key, index) => (isCleared(key) || (!now.has(key) && before.has(key)) ? [] : [index]))
  const cleared = keys.filter(isCleared).length
  const evidence = [
    `${cleared} of ${counted(keys.length, 'alert')} cleared`,
    already > 0 ? `${already} of them before this run` : '',
    gone > 0 ? `${gone} not there any more` : '',
  ]
    .filter(Boolean)
    .join(', ')
  const seen = open.every((index) => now.has(keys[index] ?? ''))
  return open.length === 0 ? {kind: 'applied', ids: [], evidence} : {kind: 'open', open, seen, evidence}
}
