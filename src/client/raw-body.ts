import {type FilterKey, filterOf, filters} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {findValueOrText, type JsonRecord, type JsonValue, printJson, toNumber} from '../values/json.js'

/**
 * The standard request body of `--filter KEY=VALUE`. Keys of the contract get their type and place; others may name
 * their place (`routeFilter.key=…`) and are JSON or text. Undefined where there are none and no body is usual.
 */
export function toRawBody(pairs: readonly string[], method: string): string | undefined {
  if (pairs.length === 0) return method.toUpperCase() === 'GET' ? printJson(emptyBody()) : undefined
  const body = emptyBody()
  for (const pair of pairs) place(body, pair)
  return printJson(body)
}

type Body = {requestFilter: JsonRecord; routeFilter: JsonRecord; body: JsonValue[]}

function emptyBody(): Body {
  return {requestFilter: {}, routeFilter: {}, body: []}
}

function place(body: Body, pair: string): void {
  const sign = pair.indexOf('=')
  if (sign < 1)
    throw new CliFailure(`--filter: not KEY=VALUE: "${pair}"`, {
      code: 'USAGE',
      hints: [`Known keys: ${Object.keys(filters).join(', ')}`],
    })
  const [key, text] = [pair.slice(0, sign), pair.slice(sign + 1)]
  const known = Object.keys(filters).find((name) => name.toLowerCase() === key.toLowerCase()) as FilterKey | undefined
  if (known) {
    body[filterOf(known).place][known] = toKnown(known, text)
    return
  }

  const part = key.startsWith('routeFilter.') ? 'routeFilter' : 'requestFilter'
  body[part][key.replace(/^(routeFilter|requestFilter)\./, '')] = findValueOrText(text)
}

function toKnown(key: FilterKey, text: string): JsonValue {
  const {kind} = filterOf(key)
  if (kind === 'flag') return text === 'true'
  if (kind === 'dateTime') return text
  const texts = text.split(',').map((part) => part.trim())
  return kind === 'texts' ? texts : texts.map((part) => (/^-?\d+$/.test(part) ? toNumber(part) : part))
}
