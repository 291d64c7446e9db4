import {TextDecoder} from 'node:util'
import {crc32} from 'node:zlib'
import {SaxesParser} from 'saxes'
import {type Entry, fromBufferPromise} from 'yauzl'
import {CliFailure} from '../../core/errors.js'
import {inputFailure} from './input-failure.js'
import {encodingByMark} from './read-text.js'

export type Attributes = Readonly<Record<string, string>>

/** Receives the elements of a part by their names without prefix; those of other namespaces keep theirs. */
export type XmlListener = {
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export type Part = {parts: ZipParts; file: string; path: string}

/** Most bytes between two tags; no cell is longer. */
const longestSilence = 4_194_304

/**
 * Reads a part of a workbook to its end, and pauses after each stretch. Throws a `CliFailure` (invalid) at what is no
 * well-formed XML, and at a document type, so that no entity is ever expanded.
 */
export async function* readXml({parts, file, path}: Part, listener: XmlListener): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser()
  let silence = 0
  let prefix: string | undefined
  const toLocal = (name: string) => {
    prefix ??= name.slice(0, name.indexOf(':') + 1)
    if (prefix === '') return name
    return name.startsWith(prefix) ? name.slice(prefix.length) : `:${name}`
  }

  parser.on('opentag', ({name, attributes}) => {
    silence = 0
    listener.open(toLocal(name), attributes)
  })
  if (listener.text) {
    const onText = (text: string) => listener.text?.(text)
    parser.on('text', onText)
    parser.on('cdata', onText)
  }

  parser.on('closetag', ({name}) => {
    silence = 0
    listener.close?.(toLocal(name))
  })
  parser.on('doctype', () => {
    throw damaged(file, `its part ${path} has a document type, which no workbook has`)
  })
  parser.on('error', () => {
    throw notXml()
  })

  let decoder: TextDecoder | undefined
  for await (const chunk of parts.read(path)) {
    decoder ??= new TextDecoder(encodingByMark(chunk), {fatal: true})
    silence += chunk.length
    feed(() => parser.write(decoder?.decode(chunk, {stream: true}) ?? ''))
    if (silence > longestSilence) throw damaged(file, `its part ${path} has an element longer than any cell`)
    yield
  }

  feed(() => parser.write(decoder?.decode() ?? '').close())
  yield

  function feed(step: () => unknown): void {
    try {
      step()
    } catch (error) {
      throw error instanceof CliFailure ? error : notXml() // bytes that are no text, too
    }
  }

  function notXml(): CliFailure {
    return damaged(file, `its part ${path} is not well-formed XML`)
  }
}

/** Reads a part of a workbook to its end. */
export async function readAllXml(part: Part, listener: XmlListener): Promise<void> {
  for await (const _stretch of readXml(part, listener));
}

/** Whether an attribute such as `hidden` says yes. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

/** The parts of a zip file, by path; letter case does not count. */
export type ZipParts = Awaited<ReturnType<typeof openZip>>

/**
 * Limits of an unpacked workbook. A full sheet of the largest programs (1,048,576 rows of 12 columns) takes 0.7 GB and
 * packs to a tenth or a thirtieth; a part that packs to less than a two-hundredth is no table.
 */
const limits = {partBytes: 2_147_483_648, allBytes: 4_294_967_296, ratio: 200, alwaysBytes: 16_777_216} as const

/** The parts of a zip file that is in memory. Throws a `CliFailure` (invalid) when it is damaged. */
export async function openZip(file: string, bytes: Buffer) {
  const {zip, entries} = await listEntries(file, bytes)
  const all = [...entries.values()].reduce((sum, {uncompressedSize}) => sum + uncompressedSize, 0)
  if (all > limits.allBytes) throw tooLarge(file)
  return {
    paths: [...entries.values()].map(({fileName}) => fileName),
    has: (path: string) => entries.has(path.toLowerCase()),
    read: readPart,
  }

  /** The bytes of a part. Throws a `CliFailure` (invalid) when it is missing, damaged or unpacks to too much. */
  async function* readPart(path: string): AsyncGenerator<Buffer, void, void> {
    const entry = entries.get(path.toLowerCase())
    if (!entry) throw damaged(file, `its part ${path} is missing`)
    if (isBomb(entry)) throw tooLarge(file)
    let sum = 0
    try {
      const stream = await zip.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      throw error instanceof CliFailure ? error : damaged(file, `its part ${path} cannot be unpacked`)
    }

    if (sum !== entry.crc32) throw damaged(file, `the checksum of its part ${path} is wrong`)
  }
}

async function listEntries(file: string, bytes: Buffer) {
  const entries = new Map<string, Entry>()
  try {
    const zip = await fromBufferPromise(bytes, {lazyEntries: true, autoClose: false})
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName.toLowerCase()
      if (entries.has(path)) throw damaged(file, `it has the part ${entry.fileName} twice`)
      if (entry.isEncrypted()) throw damaged(file, `its part ${entry.fileName} is encrypted`)
      entries.set(path, entry)
    }

    return {zip, entries}
  } catch (error) {
    throw error instanceof CliFailure ? error : damaged(file, 'it is cut off, damaged, or not a zip file')
  }
}

/** The sizes are those that the file declares; a part that is larger fails while it is read. */
function isBomb({uncompressedSize, compressedSize}: Entry): boolean {
  if (uncompressedSize > limits.partBytes) return true
  return uncompressedSize > limits.alwaysBytes && uncompressedSize > compressedSize * limits.ratio
}

function tooLarge(file: string): CliFailure {
  return damaged(file, 'it unpacks to more than any table has', 'Save the rows as "CSV UTF-8".')
}

const saveAgain = 'Open it in a spreadsheet program, and save it again as an xlsx workbook.'

/** A workbook that cannot be read; `why` follows "a workbook that cannot be read:". */
export function damaged(file: string, why: string, hint = saveAgain): CliFailure {
  return inputFailure('DAMAGED_WORKBOOK', `a workbook that cannot be read: ${why}`, {file}, [hint])
}
