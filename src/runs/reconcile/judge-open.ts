import {templateFieldOf} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {compareTemplate, probeOf, type Selections} from '../machines/read-selections.js'
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
  const listedKeys = keys.filter(isListed).length
  const found = `${keys.length - listedKeys} of ${countRecords(keys.length, write)} deleted`
  const isPart = listedKeys > 0 && listedKeys < keys.length
  return judgeOpen(keys, {isOpen: isListed, isSeen: (key) => all.has(key)}, isPart ? `${found}; ${someoneElse}` : found)
}

type About = {isOpen(key: string): boolean; isSeen(key: string): boolean}

/** Records of which those are left that are open: none, or some by their places in the set. */
function judgeOpen(keys: readonly string[], {isOpen, isSeen}: About, evidence: string): Judgement {
  const open = keys.flatMap((key, index) => (isOpen(key) ? [index] : []))
  if (open.length === 0) return {kind: 'applied', ids: [], evidence}
  return {kind: 'open', open, seen: open.every((index) => isSeen(keys[index] ?? '')), evidence}
}

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
  const evidence = [
    `${keys.filter(isDone).length} of ${countRecords(keys.length, write)} ${done}`,
    already > 0 ? `${already} of them before this run` : '',
    gone > 0 ? `${gone} no longer there` : '',
  ]
    .filter(Boolean)
    .join(', ')
  return judgeOpen(keys, {isOpen: (key) => !isDone(key) && !isGone(key), isSeen: (key) => now.has(key)}, evidence)
}

/** Selections by the machine and by the template that they belong to. */
export type Held = Record<'machines' | 'templates', ReadonlyMap<string, Selections>>

/**
 * Compares machines with the template that was sent for them, in every field that it holds. What is not there may be sent
 * again: the same template changes nothing a second time.
 */
export function judgeTemplate({write, records}: SentSet, {machines, templates}: Held): Judgement {
  const field = templateFieldOf(write)
  const isDone = (record: SentSet['records'][number]) => {
    const template = templates.get(idText(record[field])) ?? new Map()
    const selections = machines.get(idText(record[write.target])) ?? new Map()
    return template.size > 0 && compareTemplate(template, selections, probeOf(write)).changes.length === 0
  }
  const done = records.filter(isDone).length
  const evidence = `${done} of ${countRecords(records.length, write)} as the template has it`
  return done === records.length ? {kind: 'applied', ids: [], evidence} : {kind: 'none', final: false, evidence}
}
