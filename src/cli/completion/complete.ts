import type {CommandFacts, FlagFacts} from '../help/facts.js'
import {type Answer, answer, type Candidate} from './answer.js'
import {type Facts, findByLetter, findCommand, findFlag, type Given, readGiven} from './read-line.js'
import type {Sources} from './sources.js'
import {offerValues, type Taken, takenByArgument, takenByFlag} from './values.js'

const helpWord = 'help'

/**
 * What may stand at the cursor. `args` are the arguments after the name of the program, without quotes; the last one ends at
 * the cursor and is empty when a new word begins there. Runs nothing and changes nothing.
 */
export async function complete(args: readonly string[], facts: Facts, sources: Sources): Promise<Answer> {
  const typed = args.at(-1) ?? ''
  if (args[0] === helpWord && args.length > 1) return completeHelp(args.slice(1), facts)
  const {id, rest} = findCommand(args.slice(0, -1), facts)
  const command = facts.command(id)
  const next = rest.length === 0 ? nextNames(id, facts) : []
  if (!command) return answer(typed, typed.startsWith('-') && rest.length === 0 ? offerRootFlags(id === '') : next)
  return completeCommand({id, command, given: readGiven(rest, command), next, typed, sources})
}

/** After `help`: the next part of the name of a command, or the name of a guide. */
function completeHelp(args: readonly string[], facts: Facts): Answer {
  const {id, rest} = findCommand(args.slice(0, -1), facts)
  const guidesToo = id === '' ? Object.entries(facts.guides).map(([value, about]) => ({value, about})) : []
  return answer(args.at(-1) ?? '', rest.length === 0 ? [...nextNames(id, facts), ...guidesToo] : [])
}

type Line = {id: string; command: CommandFacts; given: Given; next: Candidate[]; typed: string; sources: Sources}

async function completeCommand(line: Line): Promise<Answer> {
  const {id, command, given, typed, next} = line
  if (given.waiting) return offer(line, takenByFlag(given.waiting), '')
  if (given.isEnded) return answer(typed, [])
  const inside = flagInside(typed, command)
  if (inside) return offer(line, takenByFlag(inside.flag), inside.fixed)
  if (typed.startsWith('-') && typed !== '-') return answer(typed, offerFlags(command, given.flags))
  const taken = findArgument(id, command, given.args)
  const offered = taken ? await offer(line, taken, '') : answer(typed, [])
  if (next.length > 0) return {...offered, candidates: [...next, ...offered.candidates]}
  const mayBeFlag = taken ? typed === '-' && !offered.files : typed === '' || typed === '-'
  return mayBeFlag ? answer(typed, offerFlags(command, given.flags)) : offered
}

function offer({id, typed, sources}: Line, taken: Taken, fixed: string): Promise<Answer> {
  return offerValues({taken, typed: typed.slice(fixed.length), fixed, commandId: id, sources})
}

/** A flag that stands in one word with its value: `--output=csv`, `-ocsv`, `-o=csv`. */
function flagInside(typed: string, command: CommandFacts): {flag: FlagFacts; fixed: string} | undefined {
  const [fixed, long, letter] = /^(?:--([^=]+)=|-([^-=])(?:=|(?=.)))/su.exec(typed) ?? []
  if (fixed === undefined) return undefined
  const flag = long === undefined ? findByLetter(command, letter ?? '') : findFlag(command, long)
  return flag?.type === 'option' ? {flag, fixed} : undefined
}

function findArgument(id: string, {args = {}, strict}: CommandFacts, place: number): Taken | undefined {
  const all = Object.values(args)
  const last = all.at(-1)
  const found = all[place] ?? (last?.multiple === true || strict === false ? last : undefined)
  return found && takenByArgument(found, id)
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

/** Flags where no command was named yet, or only its topic. */
function offerRootFlags(isRoot: boolean): Candidate[] {
  return isRoot ? [help, version] : [help]
}

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
