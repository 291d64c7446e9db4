import {STATUS_CODES} from 'node:http'
import {findRefusal, type OperationId, type RefusalCode} from '../../contract/index.js'
import {parseJson} from '../../values/json.js'
import {type Answer, toAnswer} from '../answer.js'
import type {Exchange} from '../perform.js'
import type {Random} from '../random.js'
import {type Pointer, refuse} from '../refusal.js'
import {toStandardRequest} from '../wire/standard-request.js'

const htmlType = 'text/html; charset=utf-8'

/** An answer of something in between that speaks HTML. */
export function toHtml(status: number): Answer {
  const title = `${status} ${STATUS_CODES[status] ?? 'Status'}`
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`
  return {status, headers: {}, body: Buffer.from(body), contentType: htmlType}
}

export function toGateway(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return {...toAnswer(status, {message}), headers}
}

/** An error list with one refusal of the contract, under its own status unless another is asked. */
export function toRefusalAnswer(code: string, status: number | undefined, pointers: Pointer[] = [], name = ''): Answer {
  const {errors, status: own} = refuse(code as RefusalCode, undefined, pointers, name)
  return toAnswer(status ?? own, errors)
}

/** What `status` answers: `html`, `empty`, a refusal code, or the text itself; 421 alone means missing data. [seed] */
export function toStatusAnswer(status: number, body: string | undefined): Answer {
  if (body === undefined && status === 421) return toRefusalAnswer('MISSING_REQUIRED_DATA', 421)
  if (body === undefined) return toGateway(status, STATUS_CODES[status] ?? 'Status')
  if (body === 'html') return toHtml(status)
  if (body === 'empty') return toAnswer(status, undefined)
  if (findRefusal(body)) return toRefusalAnswer(body, status)
  return {status, headers: {}, body: Buffer.from(body)}
}

/** Creates that the service can refuse as duplicates, and the code of each. */
export const duplicateCodes: Partial<Record<OperationId, RefusalCode>> = {
  'sites.create': 'NAME_UNIQUENESS',
  'alerts.create': 'ALERT_EXISTS',
  'machines.custom-data.create': 'CUSTOM_DATA_EXISTS',
}

/** A refusal of a create as a duplicate, which blames all elements or only the first. */
export function toDuplicate({id, body}: Exchange, blame: string): Answer {
  const elements = toStandardRequest(body).body
  const count = Array.isArray(elements) ? elements.length : 0
  const pointers = blame === 'first' ? [0] : Array.from({length: count}, (_, index) => index)
  return toRefusalAnswer(duplicateCodes[id] ?? 'GENERIC_ERROR', undefined, pointers, 'index')
}

/** The same records in another order. */
export function shuffle(answer: Answer, random: Random): Answer {
  const records = parseJson(answer.body.toString())
  if (!Array.isArray(records)) return answer
  for (let last = records.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [one = null, two = null] = [records[last], records[other]]
    records[last] = two
    records[other] = one
  }
  return {...answer, body: toAnswer(200, records).body}
}
