import {isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError} from 'yaml'
import {toDuration} from '../../core/durations.js'
import {CliFailure} from '../../core/errors.js'
import {thousands} from '../../values/counted.js'
import {splitArguments} from '../split-arguments.js'
import type {FlagValue, JobProblem, Place, Recipe} from './job.js'

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

/** The message about a wrong value, or a better one for a placeholder that was read as a mapping, such as `{file}`. */
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
  return withoutFailure(() => splitArguments(text, entry.key), entry, report) && text
}

/** The result of a function; a failure is reported without the name of a flag, which is the key. */
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

/** A key of a mapping with its value. */
export type Entry = {key: string; place: Place; value: Value}

/** A value of YAML with its place; an empty one has the place of its key. */
export type Value =
  | {kind: 'mapping'; place: Place; entries: Entry[]}
  | {kind: 'list'; place: Place; values: Value[]}
  | {kind: 'text' | 'number'; place: Place; text: string}
  | {kind: 'boolean'; place: Place; value: boolean}
  | {kind: 'nothing'; place: Place}

/** The message for a placeholder or a variable without quotes, which YAML takes for a mapping. */
const quoteBraces = `quote values with { }, as in '{file}'`

/** Codes of errors that leave the rest of a text readable. */
const harmless = ['TAG_RESOLVE_FAILED']
/** Limit for the values of a list. */
const most = 10_000

const sentences: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'wrong indentation, or a colon in a value without quotes',
  MULTILINE_IMPLICIT_KEY: 'a key without its colon, or wrong indentation',
  TAB_AS_INDENT: 'a tab; indent with spaces',
  MULTIPLE_DOCS: 'a second document; a jobs file is one',
  RESOURCE_EXHAUSTION: 'values nested too deeply',
}

/** Text before and after an error that a placeholder or a variable without quotes caused. */
const isAfterBraces = /\{\w+\}$/
const isAtBraces = /^\{\w+\}/

/**
 * Reads YAML; errors become problems, of broken syntax only the first, because the others follow from it. `root` is
 * undefined where nothing more can be told of the text.
 */
export function readYaml(text: string): {root: Value | undefined; problems: JobProblem[]} {
  const lineCounter = new LineCounter()
  const placeAt = (offset: number): Place => {
    const {line, col} = lineCounter.linePos(offset)
    return {line, column: col}
  }
  const document = parseDocument(text, {lineCounter, prettyErrors: false, uniqueKeys: false}) // which compares each with all
  const wrong: YAMLError[] = [...document.errors, ...document.warnings]
  const broken = wrong.find(({code}) => !harmless.includes(code))
  const told = wrong.filter((each) => each === broken || harmless.includes(each.code))
  const problems = told.map((each) => ({...placeAt(each.pos[0]), message: describe(each, text)}))
  if (broken) return {root: undefined, problems}

  const toValue = (node: Node | null, at: Place): Value => {
    const place = node?.range ? placeAt(node.range[0]) : at
    if (isAlias(node)) problems.push({...place, message: 'an alias; write the value itself'})
    if (isMap<Node, Node | null>(node)) {
      const entries = new Map<string, Entry>()
      for (const {key: written, value} of node.items) {
        const [key, keyPlace] = [textOf(written), written.range ? placeAt(written.range[0]) : place]
        if (entries.has(key)) problems.push({...keyPlace, message: 'this key appears here twice'})
        else entries.set(key, {key, place: keyPlace, value: toValue(value, keyPlace)})
      }
      return {kind: 'mapping', place, entries: [...entries.values()]}
    }
    if (isSeq<Node>(node)) {
      if (node.items.length > most) problems.push({...place, message: `a list of more than ${thousands(most)} values`})
      return {kind: 'list', place, values: node.items.slice(0, most).map((item) => toValue(item, place))}
    }
    if (!isScalar(node) || node.value === null) return {kind: 'nothing', place}
    if (typeof node.value === 'boolean') return {kind: 'boolean', place, value: node.value}
    return {kind: typeof node.value === 'string' ? 'text' : 'number', place, text: textOf(node)}
  }
  return {root: toValue(document.contents, {line: 1, column: 1}), problems}
}

function describe({code, message, pos: [offset]}: YAMLError, text: string): string {
  const hasBraces = isAfterBraces.test(text.slice(0, offset)) || isAtBraces.test(text.slice(offset))
  return code === 'UNEXPECTED_TOKEN' && hasBraces ? quoteBraces : (sentences[code] ?? message)
}

/** A scalar as it was written: the digits of a number, such as 007, stay. */
function textOf(node: Node): string {
  if (!isScalar(node)) return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}

/** The text of a jobs file with a recipe, its comments kept; `there` for a name that it has, undefined for broken YAML. */
export function addRecipe(
  text: string,
  name: string,
  recipe: Pick<Recipe, 'command' | 'flags'>,
  overwrite: boolean,
): string | 'there' | undefined {
  const document = parseDocument(text)
  if (document.errors.length > 0) return undefined
  const path = ['recipes', name]
  if (document.hasIn(path) && !overwrite) return 'there'
  document.setIn(path, recipe)
  return document.toString({lineWidth: 0})
}
