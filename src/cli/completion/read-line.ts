import type {CommandFacts, FlagFacts} from '../../values/command-facts.js'

/** The commands, topics and flags of the program. Ids have colons, as in `machines:list`. */
export type Facts = {
  readonly commands: readonly string[]
  /** Summary of each topic, by its id. */
  readonly topics: Readonly<Record<string, string>>
  /** Summary of each guide, by its name. */
  readonly guides: Readonly<Record<string, string>>
  /** Loads the facts about a command; called only where they matter. */
  readonly command: (id: string) => CommandFacts | undefined
}

/** The flags and arguments before the cursor. */
export type Given = {
  flags: ReadonlySet<string>
  /** Number of arguments that belong to no flag. */
  args: number
  /** The flag whose value the next argument is. */
  waiting?: FlagFacts | undefined
  /** Whether `--` came, after which nothing is a flag. */
  isEnded: boolean
}

/** Finds the command or topic that the first arguments name, and what follows them. */
export function findCommand(args: readonly string[], {commands, topics}: Facts): {id: string; rest: string[]} {
  const ids = [...commands, ...Object.keys(topics)]
  let count = 0
  const idOf = (length: number) => args.slice(0, length).join(':')
  const isKnown = (id: string) => ids.some((known) => known === id || known.startsWith(`${id}:`))
  while (count < args.length && args[count] !== '' && isKnown(idOf(count + 1))) count++
  return {id: idOf(count), rest: args.slice(count)}
}

export function readGiven(args: readonly string[], command: CommandFacts): Given {
  const flags = new Set<string>()
  const given: Given = {flags, args: 0, isEnded: false}
  for (const arg of args) {
    if (given.waiting) given.waiting = undefined
    else if (given.isEnded) given.args++
    else if (arg === '--') given.isEnded = true
    else if (arg.startsWith('-') && arg !== '-') given.waiting = readFlag(arg, command, flags)
    else given.args++
  }

  return given
}

/** Notes the flags of an argument; the one that still waits for its value, if any. */
function readFlag(arg: string, command: CommandFacts, flags: Set<string>): FlagFacts | undefined {
  if (arg === '--help' || arg === '-h') flags.add('help')
  const flag = arg.startsWith('--') ? findFlag(command, arg.slice(2).split('=')[0] ?? '') : undefined
  if (flag) flags.add(flag.name)
  if (flag) return flag.type === 'option' && !arg.includes('=') ? flag : undefined
  return arg.startsWith('--') ? undefined : readLetters(arg.slice(1), command, flags)
}

/** `-qv` are two flags; `-ocsv` is one with its value. */
function readLetters(letters: string, command: CommandFacts, flags: Set<string>): FlagFacts | undefined {
  for (const [place, letter] of [...letters].entries()) {
    const flag = findByLetter(command, letter)
    if (!flag) return undefined
    flags.add(flag.name)
    if (flag.type === 'option') return place === letters.length - 1 ? flag : undefined
  }

  return undefined
}

export function findFlag({flags = {}}: CommandFacts, name: string): FlagFacts | undefined {
  if (Object.hasOwn(flags, name)) return flags[name]
  return Object.values(flags).find(({aliases}) => aliases?.includes(name))
}

export function findByLetter({flags = {}}: CommandFacts, letter: string): FlagFacts | undefined {
  return Object.values(flags).find(({char}) => char === letter)
}
