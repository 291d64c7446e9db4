import {STATUS_CODES, validateHeaderName, validateHeaderValue} from 'node:http'
import {findRefusal, isWriteId, type RefusalCode, writeOperation} from '../../contract/index.js'
import {parseJson} from '../../values/json.js'
import type {Exchange} from '../handlers/perform.js'
import {type Answer, toAnswer} from '../request/http-answer.js'
import {type Pointer, refuse} from '../request/refused.js'
import {toStandardRequest} from '../request/standard-request.js'
import type {Random} from '../seed/random.js'
import {type Effect, FaultProblem} from './effect.js'

/** An answer in HTML, as proxies and gateways give it. */
export function toHtml(status: number): Answer {
  const title = `${status} ${STATUS_CODES[status] ?? 'Status'}`
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`
  return {status, headers: {}, body: Buffer.from(body), contentType: 'text/html; charset=utf-8'}
}

export function toGateway(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return {...toAnswer(status, {message}), headers}
}

/** An error list with one refusal of the contract, under its own status unless another is asked. */
function toRefusal(code: RefusalCode, status: number | undefined, pointers: Pointer[] = [], name = ''): Answer {
  const {errors, status: own} = refuse(code, undefined, pointers, name)
  return toAnswer(status ?? own, errors)
}

const afterCommit = 'after-commit'

/** `status(503)`, `status(CODE)`, `status(503,body)`; with `,after-commit` the work is done first. */
export function toStatus([first = '', rest]: string[]): Effect {
  if (isRefusal(first)) return {instead: () => toRefusal(first, undefined)}
  const status = /^\d{3}$/.test(first) ? Number(first) : 0
  if (status < 200 || status > 599) throw new FaultProblem(`"${first}" is neither a status nor a refusal code.`)
  const body = rest === afterCommit ? undefined : rest?.replace(new RegExp(`,${afterCommit}$`), '')
  const answer = () => toStatusAnswer(status, body)
  return rest?.endsWith(afterCommit) ? {after: answer} : {instead: answer}
}

/** `html`, `empty`, a refusal code, or the text itself; 421 alone means missing data. [seed] */
function toStatusAnswer(status: number, body: string | undefined): Answer {
  if (body === undefined && status === 421) return toRefusal('MISSING_REQUIRED_DATA', 421)
  if (body === undefined) return toGateway(status, STATUS_CODES[status] ?? 'Status')
  if (body === 'html') return toHtml(status)
  if (body === 'empty') return toAnswer(status, undefined)
  if (isRefusal(body)) return toRefusal(body, status)
  return {status, headers: {}, body: Buffer.from(body)}
}

function isRefusal(text: string): text is RefusalCode {
  return findRefusal(text) !== undefined
}

/** The refusal of a create whose records already exist; undefined where the contract knows none. */
export function duplicateCodeOf({id}: Exchange): RefusalCode | null {
  if (!isWriteId(id)) return null
  const {body, duplicateCode} = writeOperation(id)
  return body === 'create' ? duplicateCode : null
}

/** A refusal of a create as a duplicate, which blames all elements or only the first. */
export function toDuplicate(exchange: Exchange, blame: string): Answer {
  const elements = toStandardRequest(exchange.body).body
  const count = Array.isArray(elements) ? elements.length : 0
  const pointers = blame === 'first' ? [0] : Array.from({length: count}, (_, index) => index)
  return toRefusal(duplicateCodeOf(exchange) ?? 'GENERIC_ERROR', undefined, pointers, 'index')
}

/** The answer with its records in another order. */
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

/** The value of a header. Throws `FaultProblem` for one that HTTP does not allow. */
export function checkHeader(name: string, value: string): string {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    throw new FaultProblem(`"${name}: ${value}" cannot be a header.`)
  }
  return value
}

/** `redirect(url)`, `redirect(url,307)`. */
export function toRedirect(given = ''): Effect {
  const [, location = '', status = '302'] = /^(.*?)(?:,(3\d\d))?$/s.exec(given) ?? []
  if (location === '') throw new FaultProblem('redirect needs the URL that it leads to.')
  checkHeader('location', location)
  return {instead: () => toGateway(Number(status), 'Redirect', {location})}
}
