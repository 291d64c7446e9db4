import {type Explanation, explain} from '../../derive/explain.js'
import {toSafeText, toShownData} from '../../formats/safe-text.js'
import {createTable} from '../../formats/write/table/table.js'
import {type JsonRecord, parseJson, printJson} from '../../values/json.js'
import {hasColor} from '../help/terminal-look.js'
import {describeExplanation} from '../info/explain-code.js'
import {ownColumns} from '../read/own-columns.js'
import {standardOutput} from '../terminal/output.js'

/** A request in the words of the sandbox. */
export type Logged = JsonRecord & {
  id: number
  time: string
  operation: string
  status: number | null
  fault: string | null
}

/** All that is known of a request. */
export type Detailed = Logged & {
  requestHeaders: Record<string, string>
  body: string
  responseHeaders: Record<string, string>
  answer: string
}

export type Pages<Item> = AsyncIterable<Item[]>

const shownNames = ['id', 'time', 'operation', 'status', 'ms', 'records', 'key', 'user', 'fault']

/** Prints requests for people as they come; resolves with their number. */
export async function printRows(pages: Pages<Logged | Detailed>): Promise<number> {
  const numbers = ['id', 'status', 'ms', 'records']
  const table = createTable(ownColumns(shownNames, numbers), {color: hasColor(process.stdout, process.env)})
  let rows = 0
  for await (const page of pages) {
    rows += page.length
    const blocks = page.flatMap((request) => ('answer' in request ? toBlock(request as Detailed) : []))
    if (page.length > 0) await standardOutput.write([table.draw(page.map(toCells)), ...blocks].join(''))
  }
  return rows
}

function toCells(request: Logged): string[] {
  const {time, status, milliseconds: ms} = request
  const cells: JsonRecord = {...request, time: time.slice(11, 23), status: status ?? 'none', ms: ms ?? null}
  return shownNames.map((name) => toSafeText(String(cells[name] ?? '')))
}

/** Headers and bodies, indented below the line of their request. */
function toBlock({method, path, requestHeaders, body, responseHeaders, answer, status}: Detailed): string {
  const toLines = (headers: Record<string, string>, mark: string) =>
    Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`)
  const asked = [`> ${method} ${path}`, ...toLines(requestHeaders, '>'), toReadable(body)]
  const meanings = explainAnswer(status, answer).map((one) => describeExplanation({...one, commands: []}))
  const answered = [...toLines(responseHeaders, '<'), toReadable(answer), ...meanings]
  const text = [...asked, ...answered].filter((part) => part !== '').join('\n')
  return `${toShownData(text).replaceAll(/^(?=.)/gm, '    ')}\n\n`
}

function toReadable(body: string): string {
  try {
    return printJson(parseJson(body), 2)
  } catch {
    return body
  }
}

/** The meaning of a refusal, by its codes, or by its status where a gateway refused. */
export function explainAnswer(status: number | null, answer: string): Explanation[] {
  if (status === null || status < 400) return []
  const codes = new Set(Array.from(answer.matchAll(/"code":"(\w+)"/g), ([, code = '']) => code))
  if (codes.size > 0) return [...codes].flatMap((code) => explain(code).found)
  return explain(String(status)).found.filter(({kind}) => kind === 'gateway')
}
