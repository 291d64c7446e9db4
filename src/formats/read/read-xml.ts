import {TextDecoder} from 'node:util'
import {SaxesParser} from 'saxes'
import {CliFailure} from '../../core/errors.js'
import {damaged} from './workbook-failure.js'
import type {ZipParts} from './zip-parts.js'

export type Attributes = Readonly<Record<string, string>>

/** Receives the elements of a part by their names without prefix; those of other namespaces keep theirs. */
export type XmlListener = {
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export type Part = {parts: ZipParts; file: string; path: string}

/** Most bytes without an element; no cell is longer. */
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
    decoder ??= toDecoder(chunk)
    silence += chunk.length
    feed(() => parser.write(decoder?.decode(chunk, {stream: true}) ?? ''))
    if (silence > longestSilence) throw damaged(file, `its part ${path} holds an element longer than any cell`)
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

function toDecoder([first, second]: Buffer): TextDecoder {
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(label, {fatal: true})
}

/** Whether an attribute such as `hidden` says yes. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
