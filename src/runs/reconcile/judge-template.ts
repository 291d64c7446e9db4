import {templateFieldOf} from '../../contract/index.js'
import {idText} from '../../values/record-key.js'
import {probeOf} from '../machines/read-selections.js'
import {compareTemplate, type Selections} from '../machines/template-changes.js'
import {countRecords, type Judgement, type SentSet} from './judgement.js'

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
