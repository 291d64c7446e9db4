import {resolve} from 'node:path'
import type {ArgumentFacts, CommandFacts, FlagFacts} from '../../values/command-facts.js'
import type {Program, WrittenFacts} from '../app/program.js'
import {type Facts, findByLetter, findCommand, findFlag, type Given, readGiven} from './read-line.js'
import {findShell} from './shells/index.js'
import {type Answer, answer, type Candidate, type Complete, filesAnswer, type Place} from './shells/shell.js'
import {type Choice, createSources, type SourceName, type Sources} from './sources.js'

type Written = Pick<Program, 'facts' | 'choices'>

/**
 * Answer for a shell to `__complete SHELL …`, which lists words for the cursor, and to `autocomplete script SHELL`,
 * which runs whenever a shell starts. Undefined for every other line. Loads facts only when they matter.
 */
export async function answerCompletion(
  [first, second, name = '', ...more]: readonly string[],
  program: Written,
): Promise<string | undefined> {
  if (first === '__complete') return answerShell(second, [name, ...more], program)
  if (first !== 'autocomplete' || second !== 'script' || more.length > 0) return undefined
  return findShell(name)?.script(findProgram())
}

/** Answers a shell; never fails and reports no errors, because a person is typing. */
async function answerShell(
  name: string | undefined,
  given: readonly string[],
  {facts, choices}: Written,
): Promise<string> {
  try {
    const completeLine: Complete = async (args) =>
      complete(args, toFacts(await facts()), createSources(process.env, choices))
    return (await findShell(name ?? '')?.answer(given, completeLine)) ?? ''
  } catch {
    return ''
  }
}

/** The path of this program, for shells that do not find it by name; `node` unless Node is in the executable. */
export function findProgram(): Place {
  const program = resolve(process.argv[1] ?? '')
  return {program, ...(program !== process.execPath && {node: process.execPath})}
}

export function toFacts({topics, guides, commands}: WrittenFacts): Facts {
  return {
    commands: Object.keys(commands),
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, {description = ''}]) => [name.replaceAll(' ', ':'), description]),
    ),
    guides: Object.fromEntries(Object.entries(guides).map(([name, text]) => [name, text.split('\n\n')[1] ?? ''])),
    command: (id) => (Object.hasOwn(commands, id) ? (JSON.parse(commands[id] ?? '') as CommandFacts) : undefined),
  }
}

const helpWord = 'help'

/**
 * Words that fit at the cursor. `args` are the arguments after the name of the program, without quotes; the last one
 * ends at the cursor and is empty when a new word begins there. Runs nothing and changes nothing.
 */
export async function complete(args: readonly string[], facts: Facts, sources: Sources): Promise<Answer> {
  const typed = args.at(-1) ?? ''
  if (args[0] === helpWord && args.length > 1) return completeHelp(args.slice(1), facts)
  const {id, rest} = findCommand(args.slice(0, -1), facts)
  const command = facts.command(id)
  const next = rest.length === 0 ? nextNames(id, facts) : []
  const flags = id === '' ? [help, version] : [help]
  if (!command) return answer(typed, typed.startsWith('-') && rest.length === 0 ? flags : next)
  return completeCommand({id, command, given: readGiven(rest, command), next, typed, sources})
}

/** What may follow `help`: the next part of the name of a command, or the name of a guide. */
function completeHelp(args: readonly string[], facts: Facts): Answer {
  const {id, rest} = findCommand(args.slice(0, -1), facts)
  const guidesToo = id === '' ? Object.entries(facts.guides).map(([value, about]) => ({value, about})) : []
  return answer(args.at(-1) ?? '', rest.length === 0 ? [...nextNames(id, facts), ...guidesToo] : [])
}

type Line = {id: string; command: CommandFacts; given: Given; next: Candidate[]; typed: string; sources: Sources}

async function completeCommand(line: Line): Promise<Answer> {
  const {id, command, given, typed, next} = line
  if (given.waiting) return offer(line, valueOfFlag(given.waiting), '')
  if (given.isEnded) return answer(typed, [])
  const inside = flagInside(typed, command)
  if (inside) return offer(line, valueOfFlag(inside.flag), inside.fixed)
  if (typed.startsWith('-') && typed !== '-') return answer(typed, offerFlags(command, given.flags))
  const expected = findArgument(id, command, given.args)
  const offered = expected ? await offer(line, expected, '') : answer(typed, [])
  if (next.length > 0) return {...offered, candidates: [...next, ...offered.candidates]}
  const mayBeFlag = expected ? typed === '-' && !offered.files : typed === '' || typed === '-'
  return mayBeFlag ? answer(typed, offerFlags(command, given.flags)) : offered
}

function offer({id, typed, sources}: Line, expected: ValueKind, fixed: string): Promise<Answer> {
  return offerValues({expected, typed: typed.slice(fixed.length), fixed, commandId: id, sources})
}

/** A flag that is one word with its value: `--output=csv`, `-ocsv`, `-o=csv`. */
function flagInside(typed: string, command: CommandFacts): {flag: FlagFacts; fixed: string} | undefined {
  const [fixed, long, letter] = /^(?:--([^=]+)=|-([^-=])(?:=|(?=.)))/su.exec(typed) ?? []
  if (fixed === undefined) return undefined
  const flag = long === undefined ? findByLetter(command, letter ?? '') : findFlag(command, long)
  return flag?.type === 'option' ? {flag, fixed} : undefined
}

function findArgument(id: string, {args = {}, strict}: CommandFacts, place: number): ValueKind | undefined {
  const all = Object.values(args)
  const last = all.at(-1)
  const found = all[place] ?? (last?.multiple === true || strict === false ? last : undefined)
  return found && valueOfArgument(found, id)
}

/** The names that may follow that of a topic. */
function nextNames(id: string, {commands, topics, command}: Facts): Candidate[] {
  const begin = id === '' ? '' : `${id}:`
  const ids = [...Object.keys(topics), ...commands].filter((each) => each.startsWith(begin))
  const names = [...new Set(ids.map((each) => each.slice(begin.length).split(':')[0] ?? ''))].sort()
  return names.map((value) => ({
    value,
    about: topics[`${begin}${value}`] ?? command(`${begin}${value}`)?.summary ?? '',
  }))
}

type Flags = Readonly<Record<string, FlagFacts>>

const help: Candidate = {value: '--help', about: 'Show help.'}
const version: Candidate = {value: '--version', about: 'Show the version.'}

/** The flags that may still be given: those of every command last. */
function offerFlags({flags = {}}: CommandFacts, given: ReadonlySet<string>): Candidate[] {
  const left = Object.values(flags).filter((flag) => mayFollow(flag, flags, given))
  const isGlobal = ({helpGroup}: FlagFacts) => helpGroup === 'GLOBAL'
  const ordered = [...left.filter((flag) => !isGlobal(flag)), ...left.filter(isGlobal)]
  return [...ordered.map(toCandidate), ...(given.has('help') ? [] : [help])]
}

function mayFollow(flag: FlagFacts, flags: Flags, given: ReadonlySet<string>): boolean {
  if (flag.hidden === true || (given.has(flag.name) && flag.multiple !== true)) return false
  if (flag.exclusive?.some((name) => given.has(name))) return false
  return ![...given].some((name) => flags[name]?.exclusive?.includes(flag.name))
}

function toCandidate({name, char, summary, description = ''}: FlagFacts): Candidate {
  const about = (summary ?? description).split('\n')[0]
  return {value: `--${name}`, about: char === undefined ? about : `-${char}  ${about}`}
}

/**
 * Kinds of values of a flag or an argument. A `list` is separated by commas, a `sort` too and each may have a minus; a
 * `pair` is a name with an operator and a value; `target` a pair whose value is chosen; `fault` is NAME@OPERATION.
 */
type ValueKind =
  | {form: 'nothing' | 'files' | 'list-or-file'}
  | {form: 'options'; options: readonly string[]}
  | {form: 'word' | 'list' | 'sort' | 'pair' | 'target' | 'fault'; source: SourceName}

const dates = ['today', 'yesterday', 'now', '-1d', '-7d', '-1mo', '-12h']

const byFlag: Readonly<Record<string, ValueKind>> = {
  profile: {form: 'word', source: 'profiles'},
  code: {form: 'list', source: 'alertCodes'},
  set: {form: 'pair', source: 'fields'},
  change: {form: 'pair', source: 'fields'},
  db: {form: 'files'},
  confirm: {form: 'word', source: 'profiles'},
  recipe: {form: 'word', source: 'recipes'},
  operation: {form: 'word', source: 'operations'},
  fault: {form: 'word', source: 'faults'},
  status: {form: 'options', options: ['2xx', '4xx', '5xx', 'none']},
  columns: {form: 'list', source: 'columns'},
  sort: {form: 'sort', source: 'columns'},
  where: {form: 'pair', source: 'columns'},
  filter: {form: 'pair', source: 'filters'},
  map: {form: 'target', source: 'fields'},
  match: {form: 'list', source: 'columns'},
  lookup: {form: 'pair', source: 'fields'},
  skip: {form: 'list', source: 'tables'},
  start: {form: 'options', options: dates},
  end: {form: 'options', options: dates},
  to: {form: 'options', options: dates},
}

/** The kinds of values of arguments, by topic and argument, or by the argument alone. */
const byArgument: Readonly<Record<string, ValueKind>> = {
  file: {form: 'files'},
  query: {form: 'list-or-file'},
  id: {form: 'word', source: 'runs'},
  code: {form: 'word', source: 'codes'},
  method: {form: 'word', source: 'methods'},
  path: {form: 'word', source: 'routes'},
  operation: {form: 'word', source: 'documents'},
  'profiles name': {form: 'word', source: 'profiles'},
  'jobs name': {form: 'word', source: 'jobs'},
  'jobs names': {form: 'word', source: 'jobs'},
  recipe: {form: 'word', source: 'recipes'},
  'notify job': {form: 'word', source: 'jobs'},
  settings: {form: 'pair', source: 'settings'},
  faults: {form: 'fault', source: 'faults'},
  'sandbox id': {form: 'nothing'},
  'sandbox to': {form: 'options', options: ['now', 'midnight', 'freeze', '+1d', '+1h']},
}

export function valueOfFlag({name, options, helpValue: shown = ''}: FlagFacts): ValueKind {
  const helpValue = [shown].flat().join(' ')
  if (options !== undefined) return {form: 'options', options}
  const known = Object.hasOwn(byFlag, name) ? byFlag[name] : undefined
  if (known) return known
  if (/^(PATH|FILE)(\.[a-z]+|\|-)?$/.test(helpValue)) return {form: 'files'}
  if (helpValue.endsWith('|@FILE')) return {form: 'list-or-file'}
  return /^[a-z]+(\|[a-z]+)+$/.test(helpValue) ? {form: 'options', options: helpValue.split('|')} : {form: 'nothing'}
}

export function valueOfArgument({name, options}: ArgumentFacts, commandId: string): ValueKind {
  if (options !== undefined) return {form: 'options', options}
  const keys = [`${commandId.split(':')[0]} ${name}`, name]
  const key = keys.find((each) => Object.hasOwn(byArgument, each))
  return (key === undefined ? undefined : byArgument[key]) ?? {form: 'nothing'}
}

type AtCursor = {
  expected: ValueKind
  /** The value as typed so far. */
  typed: string
  /** The text before it in the same word, such as `--output=`. */
  fixed: string
  commandId: string
  sources: Sources
}

/** Words that fit in the place of a value. */
async function offerValues({expected, typed, fixed, commandId, sources}: AtCursor): Promise<Answer> {
  if (expected.form === 'files') return filesAnswer(typed, fixed)
  if (expected.form === 'list-or-file') return offerListFile(typed, fixed)
  if (expected.form === 'options') return answer(typed, toCandidates(expected.options.map((value) => ({value}))), fixed)
  if (!('source' in expected)) return answer(typed, [], fixed)
  if (expected.form === 'list' && typed.startsWith('@')) return offerListFile(typed, fixed)
  const choices = await sources(expected.source, commandId)
  if (expected.form === 'word') return answer(typed, toCandidates(choices), fixed)
  if (expected.form === 'list') return offerList(typed, fixed, choices, /^(?:.*,)?/s)
  if (expected.form === 'sort') return offerList(typed, fixed, choices, /^(?:.*,)?-?/s)
  if (expected.form === 'pair') return offerPair(typed, fixed, choices)
  if (expected.form === 'target') return offerTarget(typed, fixed, choices)
  return offerFault(typed, fixed, choices, await sources('operations', commandId))
}

/** Ids are not known here; a file of them may be. */
function offerListFile(typed: string, fixed: string): Answer {
  return typed.startsWith('@') ? filesAnswer(typed.slice(1), `${fixed}@`) : answer(typed, [], fixed)
}

function offerList(typed: string, fixed: string, choices: readonly Choice[], beginning: RegExp): Answer {
  const done = beginning.exec(typed)?.[0] ?? ''
  const chosen = done.split(',').map((name) => name.replace(/^-/, ''))
  const left = choices.filter(({value}) => !chosen.includes(value))
  return answer(typed.slice(done.length), toCandidates(left, true), `${fixed}${done}`)
}

function offerPair(typed: string, fixed: string, choices: readonly Choice[]): Answer {
  const [condition, name, operator = ''] = /^([^=!~<>]*)(!=|!~|<=|>=|=|<|>|~)/.exec(typed) ?? []
  if (condition === undefined) {
    const names = choices.map(({value, about}) => ({value: `${value}=`, about, open: true}))
    return answer(typed, names, fixed)
  }
  const values = choices.find(({value}) => value === name)?.values ?? []
  const candidates = operator.endsWith('~') ? [] : values.map((value) => ({value}))
  return answer(typed.slice(condition.length), candidates, `${fixed}${condition}`)
}

/** The name before the sign is that of a column, which only the file knows. */
function offerTarget(typed: string, fixed: string, choices: readonly Choice[]): Answer {
  const end = typed.lastIndexOf('=') + 1
  return answer(typed.slice(end), end > 0 ? toCandidates(choices) : [], `${fixed}${typed.slice(0, end)}`)
}

function offerFault(typed: string, fixed: string, faults: readonly Choice[], operations: readonly Choice[]): Answer {
  const end = typed.lastIndexOf('@') + 1
  if (end === 0) {
    const names = faults.map(({value, about}) => ({value: `${value}@`, about, open: true}))
    return answer(typed, names, fixed)
  }
  const any = {value: '*', about: 'Every operation.'}
  return answer(typed.slice(end), toCandidates([...operations, any], true), `${fixed}${typed.slice(0, end)}`)
}

function toCandidates(choices: readonly Choice[], open = false): Candidate[] {
  return choices.map(({value, about}) => ({value, about, ...(open && {open})}))
}
