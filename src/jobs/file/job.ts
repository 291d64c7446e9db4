import {isAbsolute} from 'node:path'
import {filters} from '../../contract/index.js'
import {type Environment, usuallyWithheld, withheldVariable} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import type {CommandFacts} from '../../values/command-facts.js'
import {placeText} from '../../values/place.js'
import {splitArguments} from '../split-arguments.js'

/** Line and column in the jobs file, both counted from 1. */
export type Place = {line: number; column: number}

export type FlagValue = string | number | boolean | string[]

/** A command with its flags under a name, as the jobs file has it. */
export type Job = {
  name: string
  /** The command in words, such as `reports transactions`. */
  command: string
  args?: string[] | undefined
  flags: Record<string, FlagValue>
  profile?: string | undefined
  deliver?: string | string[] | undefined
  notify?: {url?: string | undefined; command?: string | string[] | undefined} | undefined
  keepFor?: string | undefined
  skipEmpty?: boolean | undefined
  /** Variables that programs of the user get though they may be secrets. */
  env?: readonly string[] | undefined
  /** Variables of the complete file that may be secrets. */
  secretNames: readonly string[]
  file: string
  place: Place
  /** Places of its other keys, such as `deliver` and `flags.start`. */
  places: Readonly<Record<string, Place>>
}

/** The flags of a write from a file under a name, without the file and without consent. */
export type Recipe = Pick<Job, 'name' | 'command' | 'flags' | 'place'>

/** A problem of the jobs file, or of one job or recipe where it names one. */
export type JobProblem = Place & {job?: string; recipe?: string; message: string}

/** Commands by ids such as `reports:transactions`. */
export type KnownCommands = Readonly<Record<string, CommandFacts>>

/** The command line of a job: an id such as `reports:transactions`, the arguments after it, and its environment. */
export type JobRun = {id: string; args: string[]; environment: Environment; secrets: string[]}

/** A flag with its value and its place, and whether the value was given by a variable. */
export type GivenFlag = {name: string; value: FlagValue; place: Place; isVariable: boolean}

/** The keys of a job that are flags of its command. */
export const flagsOfKeys = ['profile', 'deliver', 'keep-for', 'skip-empty'] as const

/** The name of a variable in a text of a job. */
export const variable = /\$\{([A-Za-z_]\w*)\}/g
const secretVariable = /key|token|pass|secret|auth|credential|url|hook|dsn/i

/** The variables in a text whose names suggest a secret. */
export function findSecretNames(text: string): string[] {
  const names = [...text.matchAll(variable)].map(([, name = '']) => name)
  return [...new Set(names.filter((name) => secretVariable.test(name)))]
}

type Fill = (text: string, place: Place) => string

/** Flags that choose records, which have no variable in writes: there a lost one would choose all records. */
const choosing: ReadonlySet<string> = new Set([
  ...Object.values(filters).map(({flag}) => flag),
  'org',
  'where',
  'start',
  'end',
  'recipe',
])

/**
 * The command line of a job. What a variable gives is handed over in the environment, because other users can see the
 * arguments of a process. Throws `usage` at a variable that is not set.
 */
export function toArguments(job: Job, environment: Environment): JobRun {
  const {places, place} = job
  const secrets: string[] = []
  const fill = createFill(job, environment, secrets)
  const args: string[] = []
  const handedOver: Record<string, string> = {}
  for (const flag of flagsOf(job, fill)) {
    if (flag.isVariable && typeof flag.value === 'string' && !choosing.has(flag.name))
      handedOver[`VENDORCTL_${flag.name.toUpperCase().replaceAll('-', '_')}`] = flag.value
    else args.push(...flagArguments(flag))
  }
  const texts = (job.args ?? []).map((text) => fill(text, places['args'] ?? place))
  if (texts.length > 0) args.push('--', ...texts)

  const given = withholding(job, environment, Object.keys(handedOver))
  return {id: toId(job.command), args, environment: {...given, ...handedOver, VENDORCTL_JOB: job.name}, secrets}
}

/** The environment for programs that the user names: what may be a secret is withheld from them. */
export function withholding({env = [], secretNames}: Job, environment: Environment, more: string[] = []): Environment {
  const names = [...usuallyWithheld, ...secretNames].filter((name) => !env.includes(name))
  return {...environment, [withheldVariable]: [...names, ...more].join(' ')}
}

/** The URL or command to notify of a job. Throws `usage` at a variable that is not set. */
export function toJobTarget(
  job: Job,
  kind: 'url' | 'command',
  environment: Environment,
): {text: string | undefined; secrets: string[]} {
  const {notify: {url, command} = {}, places, place} = job
  const secrets: string[] = []
  const fill = createFill(job, environment, secrets)
  const at = places['notify'] ?? place
  const filled =
    kind === 'url' ? url && fill(url, at) : toCommandText(command, 'notify-command', (arg) => fill(arg, at))
  return {text: filled, secrets}
}

/** A function that replaces variables by their values, and adds those that are secrets to a list. */
function createFill({file}: Job, environment: Environment, secrets: string[]): Fill {
  return (text, at) =>
    text.replace(variable, (_, name: string) => {
      const value = environment[name]
      if (!value)
        throw new CliFailure(`${placeText({file, ...at})} the variable ${name} is not set.`, {
          code: 'JOB_VARIABLE',
          hints: [`Set ${name}, or write the value into the jobs file unless it is a secret.`],
        })
      if (secretVariable.test(name)) secrets.push(value)
      return value
    })
}

/** `reports transactions` as `reports:transactions`. */
export function toId(command: string): string {
  return command.replaceAll(' ', ':')
}

/** The flags of the command of a job, with those that are keys of the job; variables are kept unless filled in. */
export function flagsOf(job: Job, fill: Fill = (text) => text): GivenFlag[] {
  const {deliver, places, place} = job
  const keys = {profile: job.profile, 'keep-for': job.keepFor, 'skip-empty': job.skipEmpty}
  const toFlag = (name: string, key: string, value: FlagValue): GivenFlag => {
    const at = places[key] ?? place
    const filled = Array.isArray(value) ? value.map((one) => fill(one, at)) : value
    const one = typeof filled === 'string' ? fill(filled, at) : filled
    return {name, value: one, place: at, isVariable: hasVariable(value)}
  }
  const at = places['deliver'] ?? place
  const delivery = toCommandText(deliver, 'deliver', (arg) => fill(arg, at))
  return [
    ...Object.entries(job.flags).map(([name, value]) => toFlag(name, `flags.${name}`, value)),
    ...Object.entries(keys).flatMap(([name, value]) => (value === undefined ? [] : [toFlag(name, name, value)])),
    ...(delivery === undefined || deliver === undefined
      ? []
      : [{name: 'deliver', value: delivery, place: at, isVariable: hasVariable(deliver)}]),
  ]
}

/** A flag as arguments; none where it is off. */
export function flagArguments({name, value}: GivenFlag): string[] {
  if (typeof value === 'boolean') return value ? [`--${name}`] : []
  return [value].flat().map((one) => `--${name}=${one}`)
}

export function hasVariable(value: FlagValue): boolean {
  return [value].flat().some((one) => String(one).search(variable) !== -1)
}

/** A command as one text. It is split before variables are filled in, so that no value becomes two arguments. */
function toCommandText(command: string | string[] | undefined, flag: string, fill: (arg: string) => string) {
  if (command === undefined) return undefined
  const args = Array.isArray(command) ? command : splitArguments(command, flag)
  return args.map((arg) => quoteArgument(fill(arg))).join(' ')
}

function quoteArgument(arg: string): string {
  return /^[\w./:@{}=+,-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`
}

/** Problems with relative paths of a job: schedulers start it in another folder. */
export function findRelativePaths(job: Job, {flags = {}, args = {}}: CommandFacts): JobProblem[] {
  const names = Object.keys(args)
  const found = [
    ...flagsOf(job).flatMap(({name, value}) =>
      [value].flat().map((one) => ({name, key: `flags.${name}`, path: toPath(String(one), flags[name]?.helpValue)})),
    ),
    ...(job.args ?? []).map((path, index) => ({name: 'args', key: 'args', path: names[index] === 'file' ? path : ''})),
    {name: 'deliver', key: 'deliver', path: toProgram(job.deliver)},
    {name: 'notify', key: 'notify', path: toProgram(job.notify?.command)},
  ]
  return found
    .filter(({path}) => path !== '' && path !== '-' && !isAbsolute(path) && !path.startsWith('${'))
    .map(({name, key, path}) => ({
      ...(job.places[key] ?? job.place),
      job: job.name,
      message: `${name} is relative: ${path}; cron and systemd start a job in the home folder, so write the complete path`,
    }))
}

/** The path that the value of a flag is; empty where it is something else. */
function toPath(value: string, helpValue: string | readonly string[] = ''): string {
  const shown = [helpValue].flat().join(' ')
  if (/^(PATH|FILE)\b/.test(shown)) return value
  return shown.endsWith('|@FILE') && value.startsWith('@') ? value.slice(1) : ''
}

/** The program of a command where it is a path; others are found on `PATH`. */
function toProgram(command: string | string[] = ''): string {
  const [program = ''] = typeof command === 'string' && command !== '' ? splitArguments(command, 'command') : command
  return /[/\\]/.test(program) ? program : ''
}
