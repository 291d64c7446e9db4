import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {countRecords, type Judgement, type SentSet, someoneElse} from './judgement.js'

/** Records by the digits of their ids: in a list with deleted ones, and in one without. */
export type Listed = {all: ReadonlyMap<string, JsonRecord>; plain: ReadonlyMap<string, JsonRecord>}

/** Whether the flag of a deleted record says so; one that was false before says nothing. */
export function saysDeleted({write: {probe}, before}: SentSet, key: string, {all}: Pick<Listed, 'all'>): boolean {
  const flag = probe.kind === 'gone' ? probe.flag : ''
  return all.get(key)?.[flag] === false && before.get(key)?.[flag] !== false
}

/**
 * Looks at records that were to be deleted. One that was there before and that no list shows is gone, and so is one that
 * only a list with deleted ones shows. One that was never seen is left to the service, which refuses what does not exist.
 */
export function judgeGone(sent: SentSet, listed: Listed): Judgement {
  const {write, records, before} = sent
  const {all, plain} = listed
  const keys = records.map((record) => idText(record[write.target]))
  const isListed = (key: string) =>
    all.has(key) ? plain.has(key) && !saysDeleted(sent, key, listed) : !before.has(key)
  const open = keys.flatMap((key, index) => (isListed(key) ? [index] : []))
  const found = `${keys.length - open.length} of ${countRecords(keys.length, write)} deleted`
  if (open.length === 0) return {kind: 'applied', ids: [], evidence: found}
  const evidence = open.length < keys.length ? `${found}; ${someoneElse}` : found
  return {kind: 'open', open, seen: open.every((index) => all.has(keys[index] ?? '')), evidence}
}
