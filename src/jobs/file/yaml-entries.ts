import {isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError} from 'yaml'
import {thousands} from '../../values/thousands.js'
import type {JobProblem, Place} from './job.js'

/** A key of a mapping with its value. */
export type Entry = {key: string; place: Place; value: Value}

/** A value of YAML with its place, which is that of its key where there is none. */
export type Value =
  | {kind: 'mapping'; place: Place; entries: Entry[]}
  | {kind: 'list'; place: Place; values: Value[]}
  | {kind: 'text' | 'number'; place: Place; text: string}
  | {kind: 'boolean'; place: Place; value: boolean}
  | {kind: 'nothing'; place: Place}

/** The message for a placeholder or a variable without quotes, which YAML takes for a mapping. */
export const quoteBraces = `quote values that hold { }, as in '{file}'`

/** Syntax that leaves the rest of a text readable. */
const harmless = ['TAG_RESOLVE_FAILED']
/** Of the values of a list. */
const most = 10_000

const sentences: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'wrong indentation, or a colon in a value without quotes',
  MULTILINE_IMPLICIT_KEY: 'a key without its colon, or wrong indentation',
  TAB_AS_INDENT: 'a tab; indent with spaces',
  MULTIPLE_DOCS: 'a second document; a jobs file is one',
  RESOURCE_EXHAUSTION: 'values nested too deeply',
}

/** Where a placeholder or a variable without quotes ended a value that YAML took for a mapping. */
const isAfterBraces = /\{\w+\}$/
const isAtBraces = /^\{\w+\}/

/**
 * Reads YAML; what is wrong with it as problems, of broken syntax only the first, because the others follow from it.
 * `root` is undefined where nothing more can be told of the text.
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
        if (entries.has(key)) problems.push({...keyPlace, message: 'this key stands here twice'})
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
