import {toDuration} from '../../core/durations.js'
import {CliFailure} from '../../core/errors.js'
import {splitWords} from '../words.js'
import type {FlagValue, Place} from './job.js'
import {type Entry, quoteBraces, type Value} from './yaml-entries.js'

export type Report = (place: Place, message: string) => void

export function readFlag(value: Value): FlagValue | undefined {
  if (value.kind === 'boolean') return value.value
  if (value.kind === 'number') return String(Number(value.text)) === value.text ? Number(value.text) : value.text
  if (value.kind === 'text') return value.text || undefined
  if (value.kind !== 'list' || value.values.length === 0) return undefined
  const texts = value.values.map(toText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

export function findWrongKind(
  value: FlagValue,
  {type, multiple}: {type: string; multiple?: boolean},
): string | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'is on or off: write true or false'
  if (typeof value === 'boolean') return 'takes a value; put quotes around it if true or false is meant'
  return Array.isArray(value) && !multiple ? 'takes one value, not a list' : undefined
}

/** Why a value is wrong: by a message, unless it holds a placeholder that was read as a mapping, such as `{file}`. */
export function orBraces(value: Value, message: string): string {
  const isBraces = (one: Value) =>
    one.kind === 'mapping' && one.entries.length === 1 && one.entries[0]?.value.kind === 'nothing'
  const hasBraces = value.kind === 'list' ? value.values.some(isBraces) : isBraces(value)
  return hasBraces ? quoteBraces : message
}

function toText(value: Value): string | undefined {
  return (value.kind === 'text' || value.kind === 'number') && value.text !== '' ? value.text : undefined
}

export function readText(entry: Entry | undefined, report: Report): string | undefined {
  if (!entry) return undefined
  const text = toText(entry.value)
  if (text === undefined) report(entry.value.place, orBraces(entry.value, `${entry.key} is a text`))
  return text
}

export function readTexts(entry: Entry | undefined, report: Report): string[] | undefined {
  if (!entry) return undefined
  const {value} = entry
  const texts = value.kind === 'list' ? value.values.map(toText) : [toText(value)]
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts
  report(value.place, orBraces(value, `${entry.key} is a text or a list of texts`))
  return undefined
}

/** A command that another program runs: a text that is split into words, or a list of them. */
export function readCommand(entry: Entry | undefined, report: Report): string | string[] | undefined {
  if (entry?.value.kind === 'list') return readTexts(entry, report)
  const text = readText(entry, report)
  if (!entry || text === undefined) return undefined
  return withoutFailure(() => splitWords(text, entry.key), entry, report) && text
}

/** What a function makes of a value; a failure is reported without the name of a flag, which is the key. */
function withoutFailure<Result>(read: () => Result, {key, place}: Entry, report: Report): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    report(place, [error.message, ...error.hints].map((text) => text.replaceAll(`--${key}`, key)).join('. '))
    return undefined
  }
}

export function readSwitch(entry: Entry | undefined, report: Report): boolean | undefined {
  if (!entry) return undefined
  if (entry.value.kind === 'boolean') return entry.value.value
  report(entry.value.place, `${entry.key} is on or off: write true or false`)
  return undefined
}

export function readDuration(entry: Entry | undefined, report: Report): string | undefined {
  const text = readText(entry, report)
  if (entry && text !== undefined) withoutFailure(() => toDuration(text, entry.key), entry, report)
  return text
}
