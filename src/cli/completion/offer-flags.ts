import type {CommandFacts, FlagFacts} from '../help/facts.js'
import type {Candidate} from './answer.js'

type Flags = Readonly<Record<string, FlagFacts>>

const help: Candidate = {value: '--help', about: 'Show help.'}
const version: Candidate = {value: '--version', about: 'Show the version.'}

/** Flags where no command was named yet, or only its topic. */
export function offerRootFlags(isRoot: boolean): Candidate[] {
  return isRoot ? [help, version] : [help]
}

/** The flags that may still be given: those of every command last. */
export function offerFlags({flags = {}}: CommandFacts, given: ReadonlySet<string>): Candidate[] {
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
