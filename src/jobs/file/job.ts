import {CliFailure} from '../../core/errors.js'
import {placeText} from '../../values/place.js'

/** Where something stands in the jobs file; both counted from 1. */
export type Place = {line: number; column: number}

export type FlagValue = string | number | boolean | string[]

/** A command with its flags under a name, as the jobs file has it. */
export type Job = {
  name: string
  /** As people write it, such as `reports transactions`. */
  command: string
  args?: string[] | undefined
  flags: Record<string, FlagValue>
  profile?: string | undefined
  deliver?: string | string[] | undefined
  notify?: {url?: string | undefined; command?: string | string[] | undefined} | undefined
  keepFor?: string | undefined
  skipEmpty?: boolean | undefined
  file: string
  place: Place
  /** Of its other keys, such as `deliver` and `flags.start`. */
  places: Readonly<Record<string, Place>>
}

/** Something that is wrong in the jobs file; about one job where it names one, else about the complete file. */
export type JobProblem = Place & {job?: string; message: string}

/** What the program knows of a flag and of a command: parts of oclif's manifest. */
export type KnownFlag = {
  type: string
  char?: string
  env?: string
  multiple?: boolean
  aliases?: readonly string[]
}
export type KnownCommand = {flags?: Readonly<Record<string, KnownFlag>>; args?: Readonly<Record<string, object>>}

/** By ids such as `reports:transactions`. */
export type KnownCommands = Readonly<Record<string, KnownCommand>>

export type Environment = Readonly<Record<string, string | undefined>>

/** The command line of a job: an id such as `reports:transactions`, the arguments after it, and its environment. */
export type JobRun = {id: string; args: string[]; environment: Environment}

/** The keys of a job that are flags of its command. */
export const flagsOfKeys = ['profile', 'deliver', 'keep-for', 'skip-empty'] as const

const variable = /\$\{([A-Za-z_]\w*)\}/g

/**
 * The command line of a job. What holds a variable is handed over in the environment, because other users can see the
 * arguments of a process. Throws `usage` at a variable that is not set.
 */
export function toArguments(job: Job, environment: Environment): JobRun {
  const id = toId(job.command)
  const args: string[] = []
  const handedOver: Record<string, string> = {}
  for (const [name, value] of Object.entries(flagsOf(job))) {
    const place = job.places[name] ?? job.places[`flags.${name}`] ?? job.place
    const fill = (text: string) => fillVariables(text, environment, {file: job.file, ...place})
    if (value === true) args.push(`--${name}`)
    else if (typeof value === 'string' && hasVariable(value)) handedOver[variableOf(name)] = fill(value)
    else if (value !== false) args.push(...[value].flat().map((one) => `--${name}=${fill(String(one))}`))
  }
  const place = {file: job.file, ...(job.places['args'] ?? job.place)}
  const texts = (job.args ?? []).map((text) => fillVariables(text, environment, place))
  if (texts.length > 0) args.push('--', ...texts)
  return {id, args, environment: {...environment, ...handedOver}}
}

/** `reports transactions` as `reports:transactions`. */
export function toId(command: string): string {
  return command.replaceAll(' ', ':')
}

/** Whether a text holds `${NAME}`. */
function hasVariable(text: string): boolean {
  return text.search(variable) !== -1
}

/** A text with the values of its variables. Throws `usage` at one that is not set. */
function fillVariables(text: string, environment: Environment, place: Place & {file: string}): string {
  return text.replace(variable, (_, name: string) => {
    const value = environment[name]
    if (value) return value
    throw new CliFailure(`${placeText(place)} the variable ${name} is not set.`, {
      code: 'JOB_VARIABLE',
      exit: 'usage',
      hints: [`Set ${name}, or write the value into the jobs file unless it is a secret.`],
    })
  })
}

function flagsOf({flags, profile, deliver, keepFor, skipEmpty}: Job): Record<string, FlagValue> {
  return {
    ...flags,
    ...(profile !== undefined && {profile}),
    ...(deliver !== undefined && {deliver: Array.isArray(deliver) ? deliver.map(quoteWord).join(' ') : deliver}),
    ...(keepFor !== undefined && {'keep-for': keepFor}),
    ...(skipEmpty !== undefined && {'skip-empty': skipEmpty}),
  }
}

/** A word of a list, so that it is one word again where a command is split as a shell does. */
function quoteWord(word: string): string {
  return /^[\w./:@{}=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function variableOf(flag: string): string {
  return `VENDORCTL_${flag.toUpperCase().replaceAll('-', '_')}`
}
