import type {ReadId} from '../../contract/index.js'
import {allFieldsOf, limits, readOperation} from '../../contract/index.js'
import {type Finding, quote, writeText} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'

/** Fields with the values that a row gives for them. */
export type Pair = readonly [name: string, value: JsonValue]

const mostNamed = 5

/** `name "Mill" and accountId 202` */
export function describePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name} ${toText(value)}`).join(' and ')
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : printJson(value)
}

/** No record has the values; the one value that looks alike is what to write. */
export function findMissing(
  {resource, read}: {resource: string; read: ReadId},
  pairs: readonly Pair[],
  near: readonly JsonRecord[],
  more = '',
): Finding {
  const days = readOperation(read).range ? ` in the last ${counted(limits.alertSearchDays, 'day')}` : ''
  const none = `no ${resource} with ${describePairs(pairs)} exists that this login may see${days}${more}`
  const code = 'MISSING_RECORD'
  const [[name] = ['']] = pairs
  const values = [...new Set(near.map((record) => idText(record[name])))]
  if (near.length === 0 && pairs.length === 1 && more === '') return {code, message: none}
  const tell = (message: string): Finding => ({code, message, kind: message}) // no `write`: lint cannot know it
  if (pairs.length === 1 && values.length > 0) return tell(`${none}; write ${writeText(values)}`)
  const alike = near.slice(0, mostNamed).map((record) => {
    const names = pairs.map(([each]): Pair => [each, record[each] ?? null])
    return `${describePairs(names)} (id ${idText(record['id'])})`
  })
  return tell(alike.length === 0 ? none : `${none}; did you mean ${alike.join(' or ')}?`)
}

/** Several records have the values: their ids, and a field in which they differ. */
export function describeSeveral(resource: string, pairs: readonly Pair[], records: readonly JsonRecord[]): string {
  const field = records.length > 1 ? findDifference(resource, records) : undefined
  const shown = records.slice(0, mostNamed).map((record) => {
    const detail = field === undefined ? '' : ` (${describePairs([[field, record[field] ?? null]])})`
    return `${idText(record['id'])}${detail}`
  })
  const more = records.length > mostNamed ? ` and ${counted(records.length - mostNamed, 'other')}` : ''
  return `${counted(records.length, resource)} with ${describePairs(pairs)}: ${shown.join(', ')}${more}`
}

/** A field that tells records apart, ids of other records first. */
export function findDifference(resource: string, records: readonly JsonRecord[]): string | undefined {
  const fields = Object.entries(allFieldsOf(resource)).filter(
    ([name, {kind}]) => name !== 'id' && kind !== 'object' && kind !== 'list',
  )
  const ranked = [...fields.filter(([, {refersTo}]) => refersTo), ...fields.filter(([, {refersTo}]) => !refersTo)]
  const tells = ([name]: (typeof fields)[number]) => {
    const values = records.map((record) => record[name] ?? null)
    return !values.includes(null) && new Set(values.map((value) => printJson(value))).size === records.length
  }
  return ranked.find(tells)?.[0]
}
