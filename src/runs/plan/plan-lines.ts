import {newline} from '../../values/byte-codes.js'
import {findRecord, type JsonRecord, printJson} from '../../values/json.js'

/** The parts of a plan file, as they stand there. */
export type PlanParts = {
  /** Undefined when the text does not begin as a plan does. */
  schema: string | undefined
  head: JsonRecord
  rows: JsonRecord[]
  sets: JsonRecord[]
  preimages: JsonRecord[]
  digest: string | undefined
  /** Whether the text has the layout of a plan up to its end. */
  isComplete: boolean
}

const lists = ['rows', 'sets', 'preimages'] as const
const longestStart = 1_000

/**
 * Reads a plan line by line, without holding all of its text; `hashed` is given what the digest covers. Time: linear in
 * bytes; memory: all rows, sets and preimages.
 */
export async function readPlanParts(bytes: AsyncIterable<Buffer>, hashed: (text: string) => void): Promise<PlanParts> {
  const reader = new PlanReader(hashed)
  for await (const lines of toLines(bytes)) {
    if (!lines.every((line) => reader.read(line))) break
  }

  return reader.parts
}

class PlanReader {
  readonly parts: PlanParts = {
    schema: undefined,
    head: {},
    rows: [],
    sets: [],
    preimages: [],
    digest: undefined,
    isComplete: false,
  }
  readonly #hashed: (text: string) => void
  #head = ''
  #list: (typeof lists)[number] | undefined
  #done = 0

  constructor(hashed: (text: string) => void) {
    this.#hashed = hashed
  }

  /** Whether to read on. */
  read(line: string): boolean {
    const {parts} = this
    if (parts.digest !== undefined) return this.#end(line)
    const [, digest] = line.match(/^ {2}"digest": "(.*)"$/) ?? []
    if (digest !== undefined && this.#list === undefined && this.#done === lists.length) {
      parts.digest = digest
      return true
    }

    this.#hashed(`${line}\n`)
    if (this.#list !== undefined) return this.#readItem(line, this.#list)
    const next = lists[this.#done]
    if (next !== undefined && line === `  "${next}": [`) return this.#begin(next)
    if (this.#done > 0) return false
    this.#head += `${line}\n`
    return this.#sniff()
  }

  #begin(list: (typeof lists)[number]): boolean {
    this.#list = list
    if (this.#done > 0) return true
    const head = findRecord(`${this.#head.replace(/,\n$/, '\n')}}`)
    this.parts.head = head ?? {}
    return head !== undefined
  }

  #readItem(line: string, list: (typeof lists)[number]): boolean {
    if (line === '  ],') {
      this.#list = undefined
      this.#done++
      return true
    }

    const text = line.trimStart().replace(/,$/, '')
    const item = findRecord(text)
    if (!item || printJson(item) !== text) return false // a name that stands twice shows a reader another value
    this.parts[list].push(item)
    return true
  }

  /** The name of the format comes first, also in a plan of a later version. */
  #sniff(): boolean {
    this.parts.schema ??= this.#head.match(/^\s*\{\s*"schema"\s*:\s*"(vendorctl-plan\/[^"]{0,50})"/)?.[1]
    return this.parts.schema !== undefined || this.#head.length < longestStart
  }

  #end(line: string): boolean {
    this.parts.isComplete = !this.parts.isComplete && line === '}'
    return this.parts.isComplete
  }
}

async function* toLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let kept: Buffer[] = []
  for await (const chunk of bytes) {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lines.push(Buffer.concat([...kept, chunk.subarray(start, end)]).toString())
      kept = []
      start = end + 1
    }

    yield lines
    kept.push(Buffer.from(chunk.subarray(start)))
  }

  const last = Buffer.concat(kept).toString()
  if (last !== '') yield [last]
}
