import {type ExitName, envelopeName} from '../../contract/index.js'
import {type ErrorEntry, entryOfExit} from '../../core/errors.js'
import {redact, redactBytes} from '../../core/redact.js'
import {toChunks} from '../../formats/write/chunks.js'
import type {Fates} from '../../runs/rows/phases.js'
import {isRecord, type JsonValue, printJson} from '../../values/json.js'

export type EnvelopeMeta = {
  profile?: string
  stage?: string
  rows?: Fates
  changes?: {created: number; updated: number}
  pages?: number
  requests?: {used: number; quotaLeft: number; quotaLeftIs: 'estimated' | 'counted'}
  truncated?: boolean
  range?: {asked: [string | null, string | null]; served: [string | null, string | null]}
}

/** The result of a command: all that follows `data`. */
export type Ending = {
  /** Not printed where records were written before. */
  data?: JsonValue | undefined
  exit: ExitName
  runId?: string | null | undefined
  meta?: EnvelopeMeta
  warnings?: readonly string[]
  errors?: readonly ErrorEntry[]
}

/** The one object that `--json` prints, in pieces: records as they arrive, and an ending that closes it at any moment. */
export type Envelope = {
  /** Elements of `data` as JSON, with the separators before them; `rows` is the number of all so far. */
  elements(laidOut: Buffer, rows: number): Generator<string | Buffer, void, void>
  /** Yields nothing when it was closed before. */
  close(ending: Ending): Generator<string, void, void>
}

export function createEnvelope(command: string): Envelope {
  let state: 'new' | 'open' | 'closed' = 'new'
  let count = 0

  return {
    *elements(laidOut, rows) {
      if (state === 'new') yield `${head()},\n  "data": [`
      state = 'open'
      count = rows
      if (laidOut.length > 0) yield redactBytes(laidOut)
    },
    *close(ending) {
      if (state === 'closed') return
      const isOpen = state === 'open'
      state = 'closed'
      yield* toChunks(toPieces(isOpen, ending))
    },
  }

  function head(): string {
    return `{\n  "schema": ${printJson(envelopeName)},\n  "command": ${printJson(command)}`
  }

  function* toPieces(isOpen: boolean, {data = null, exit, runId = null, meta = {}, ...more}: Ending) {
    const {warnings = [], errors = []} = more
    const rest = {ok: exit === 'ok', runId, meta, warnings: [...warnings], errors: toErrors(exit, errors)}
    if (isOpen) yield count === 0 ? ']' : '\n  ]'
    else yield head()
    for (const [name, value] of Object.entries(isOpen ? rest : {data, ...rest})) {
      yield `,\n  ${printJson(name)}: `
      for (const piece of print(value as unknown as JsonValue, '  ')) yield redact(piece)
    }
    yield '\n}\n'
  }
}

/** The errors of a failure; without any of its own, the one of its exit code. */
function toErrors(exit: ExitName, errors: readonly ErrorEntry[]): ErrorEntry[] {
  return exit === 'ok' || errors.length > 0 ? [...errors] : [entryOfExit(exit)]
}

/** Members and elements on lines of their own, in pieces: a million of them never become one text. */
function* print(value: JsonValue | undefined, indent: string): Generator<string, void, void> {
  const inner = `${indent}  `
  if (Array.isArray(value) && value.length > 0) {
    for (const [place, element] of value.entries()) yield `${place === 0 ? '[' : ','}\n${inner}${printJson(element)}`
    yield `\n${indent}]`
  } else if (isRecord(value)) {
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${separator}\n${inner}${printJson(name)}: `
      yield* print(member, inner)
      separator = ','
    }
    yield separator === '{' ? '{}' : `\n${indent}}`
  } else yield printJson(value ?? null)
}
