import type {CommandFacts, FlagFacts} from '../../values/command-facts.js'
import {suggest} from '../../values/suggest.js'
import {checkCommand, checkFlag, checkTexts, checkWrite, isSecretName, secretMessage} from './check-command.js'
import {
  type FlagValue,
  findSecretNames,
  flagsOfKeys,
  type Job,
  type JobProblem,
  type KnownCommands,
  type Place,
  type Recipe,
} from './job.js'
import {
  type Entry,
  findWrongKind,
  orBraces,
  type Report,
  readCommand,
  readDuration,
  readFlag,
  readSwitch,
  readText,
  readTexts,
  readYaml,
  type Value,
} from './yaml-entries.js'

type Mapping = Extract<Value, {kind: 'mapping'}>

/** Keys of a job, in the order of the schema. */
const jobKeys = ['command', 'args', 'flags', 'profile', 'deliver', 'notify', 'keep-for', 'skip-empty', 'env']
const notifyKeys = ['url', 'command']
export const jobName = /^[A-Za-z0-9][\w.-]{0,63}$/

/**
 * The jobs of a file and everything that is wrong in it, by place. A job with a problem may be incomplete. Without
 * facts about commands, their names and flags are left for them to check.
 */
export function readJobs(
  text: string,
  path: string,
  known?: KnownCommands,
): {jobs: Job[]; recipes: Recipe[]; problems: JobProblem[]} {
  const {root, problems} = readYaml(text)
  const jobs: Job[] = []
  const recipes: Recipe[] = []
  if (root) {
    const file = {path, secretNames: findSecretNames(text)}
    const report: Report = (place, message) => problems.push({...place, message})
    for (const [kind, {key, place, value}] of toEntries(root, report)) {
      const add: Report = (at, message) => problems.push({...at, [kind]: key, message})
      if (kind === 'job' && !jobName.test(key))
        add(place, `${JSON.stringify(key)} is no name of a job: letters, digits, ".", "_" and "-" only`)
      if (kind === 'recipe' && !isRecipeName(key)) add(place, `${JSON.stringify(key)} is no name of a recipe`)
      if (value.kind !== 'mapping') add(place, `${kind} ${key} needs a command: write the key command below it`)
      else if (kind === 'job') jobs.push(toJob({key, place, value}, file, known, add))
      else recipes.push(toRecipe({key, place, value}, known, add))
    }
  }
  problems.sort((one, other) => one.line - other.line || one.column - other.column)
  return {jobs, recipes, problems}
}

const sections = {jobs: 'job', recipes: 'recipe'} as const

/** Values below each key of the file; problems with the keys are reported. */
function* toEntries(root: Value, report: Report): Generator<['job' | 'recipe', Entry]> {
  if (root.kind !== 'mapping') return report(root.place, 'no jobs: begin with the key jobs')
  reportUnknown(root, Object.keys(sections), report)
  if (!root.entries.some(({key}) => Object.hasOwn(sections, key)))
    report(root.place, 'no jobs: the key jobs is missing')
  for (const [section, kind] of Object.entries(sections)) {
    const found = root.entries.find(({key}) => key === section)
    if (found?.value.kind === 'mapping') for (const entry of found.value.entries) yield [kind, entry]
    else if (found) report(found.place, `no ${section}: write the name of each one below this key`)
  }
}

/** Whether a recipe can have this name: not that of a subcommand of `import`. */
export function isRecipeName(name: string): boolean {
  return jobName.test(name) && !wordsOfImport.includes(name)
}

export const wordsOfImport: readonly string[] = ['list', 'check', 'save']

/** Flags to give with each import: its file, profile, consent and notification, and those of a trial. */
export const notInRecipe: readonly string[] = [
  ...['profile', 'notify-url', 'notify-command'],
  ...['file', 'yes', 'confirm', 'confirm-count', 'fresh', 'skip-applied', 'all', 'where', 'dry-run', 'recipe'],
  ...['apply-plan', 'plan-digest', 'plan-out', 'json', 'output'],
]

function toRecipe(
  {key: name, place, value}: Entry & {value: Mapping},
  known: KnownCommands | undefined,
  report: Report,
): Recipe {
  reportUnknown(value, ['command', 'flags'], report)
  checkTexts(value, report)
  const {command, facts: found, at} = readCommandName(`recipe ${name}`, {place, value}, known, report)
  const facts = found && takesFile(found) ? found : undefined
  if (found && !facts) report(at, `${command} sends no file`)
  const places: Record<string, Place> = {}
  const flags = readFlags(findEntry(value, 'flags'), {facts, command, known, report, places})
  for (const flag of Object.keys(flags).filter((each) => notInRecipe.includes(each)))
    report(places[`flags.${flag}`] ?? place, `a recipe never contains ${flag}: give it with each import`)
  return {name, command, flags, place}
}

function findEntry({entries}: Mapping, key: string): Entry | undefined {
  return entries.find((entry) => entry.key === key)
}

/** The command of a job or recipe, its place, and its facts where they are known. */
function readCommandName(
  owner: string,
  {place, value}: {place: Place; value: Mapping},
  known: KnownCommands | undefined,
  report: Report,
): {command: string; at: Place; facts: CommandFacts | undefined} {
  const entry = findEntry(value, 'command')
  if (!entry) report(place, `${owner} has no command`)
  const at = entry?.value.place ?? place
  const command = readText(entry, report) ?? ''
  return {command, at, facts: command === '' ? undefined : checkCommand(command, at, known, report)}
}

/** Whether a command writes what a file says. */
export function takesFile({flags = {}}: CommandFacts): boolean {
  return Object.hasOwn(flags, 'file') && Object.hasOwn(flags, 'yes') && Object.hasOwn(flags, 'input-format')
}

function reportUnknown({entries}: Mapping, keys: readonly string[], report: Report): void {
  for (const {key, place} of entries.filter((entry) => !keys.includes(entry.key))) {
    const nearest = suggest(key, keys)
    const meant = nearest ? `; did you mean ${nearest}?` : `; known: ${keys.join(', ')}`
    report(place, isSecretName(key) ? secretMessage(key) : `unknown key ${key}${meant}`)
  }
}

function toJob(
  {key: name, place, value}: Entry & {value: Mapping},
  {path: file, secretNames}: {path: string; secretNames: readonly string[]},
  known: KnownCommands | undefined,
  report: Report,
): Job {
  reportUnknown(value, jobKeys, report)
  checkTexts(value, report)
  const find = (key: string) => findEntry(value, key)
  const places = Object.fromEntries(value.entries.map((entry) => [entry.key, entry.place]))
  const {command, facts} = readCommandName(`job ${name}`, {place, value}, known, report)
  const job: Job = {
    ...{name, command, file, secretNames, place, places},
    flags: readFlags(find('flags'), {facts, command, known, report, places, inFlags: true}),
    args: readTexts(find('args'), report),
    profile: readText(find('profile'), report),
    deliver: readCommand(find('deliver'), report),
    notify: readNotify(find('notify'), report),
    keepFor: readDuration(find('keep-for'), report),
    skipEmpty: readSwitch(find('skip-empty'), report),
    env: readNames(find('env'), report),
  }
  if (facts && known) checkKeys(job, facts, known, report)
  if (facts) checkWrite(job, facts, report)
  return job
}

/** Checks that the command has the flags of the keys, and that keys which need others have them. */
function checkKeys(job: Job, facts: CommandFacts, known: KnownCommands, report: Report): void {
  for (const key of flagsOfKeys) {
    const place = job.places[key]
    if (place) checkFlag(key, place, {facts, command: job.command, known, report})
  }
  if (job.keepFor !== undefined && !job.places['deliver'])
    report(job.places['keep-for'] ?? job.place, 'keep-for needs deliver: only delivered files are removed')
  const output = job.flags['output-file']
  for (const key of ['deliver', 'skip-empty']) {
    const place = job.places[key]
    if (place && (output === undefined || output === '-'))
      report(place, `${key} needs a file: set output-file in flags`)
  }
}

type FlagChecks = {
  facts: CommandFacts | undefined
  command: string
  known: KnownCommands | undefined
  report: Report
  places: Record<string, Place>
  inFlags?: boolean
}

function readFlags(entry: Entry | undefined, checks: FlagChecks): Record<string, FlagValue> {
  const {facts, known, report, places} = checks
  if (!entry) return {}
  if (entry.value.kind !== 'mapping') {
    report(entry.place, 'flags are keys with values below this key, such as start: yesterday')
    return {}
  }
  const flags = new Map<string, FlagValue>()
  for (const {key, place, value} of entry.value.entries) {
    places[`flags.${key}`] = place
    const flag = facts && known ? checkFlag(key, place, {...checks, facts, known}) : undefined
    const read = readFlag(value)
    if (read === undefined) report(place, orBraces(value, `${key} has no value`))
    else {
      const wrong = flag && findWrongKind(read, flag)
      if (wrong) report(place, `${key} ${wrong}`)
      flags.set(key, read)
    }
  }
  return Object.fromEntries(flags)
}

function readNames(entry: Entry | undefined, report: Report): string[] | undefined {
  const names = readTexts(entry, report)
  const wrong = names?.find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (entry && wrong !== undefined) report(entry.value.place, `env lists names of variables, which ${wrong} is not`)
  return names
}

function readNotify(entry: Entry | undefined, report: Report): Job['notify'] {
  if (!entry) return undefined
  const {value} = entry
  if (value.kind !== 'mapping') {
    report(entry.place, 'notify needs url, command or both below it')
    return undefined
  }
  reportUnknown(value, notifyKeys, report)
  const [url, command] = [findEntry(value, 'url'), findEntry(value, 'command')]
  if (!url && !command) report(entry.place, 'notify needs url, command or both below it')
  return {url: readText(url, report), command: readCommand(command, report)}
}

/** The typed flags for a recipe, and those `left` out of it, which each import must give. */
export function toRecipeFlags(
  args: readonly string[],
  known: Readonly<Record<string, FlagFacts>>,
): {flags: Record<string, FlagValue>; left: Record<string, FlagValue>} {
  const flags: Record<string, FlagValue> = {}
  const left: Record<string, FlagValue> = {}
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, long, letter, inline] = /^(?:--([^=]+)|-([^-=]))(?:=?(.*))?$/s.exec(arg) ?? []
    const [name, flag] =
      Object.entries(known).find(
        ([each, {char, aliases}]) =>
          each === long || aliases?.includes(long ?? '') || (letter !== undefined && char === letter),
      ) ?? []
    if (name === undefined || !flag) continue
    if (flag.type === 'boolean' && inline) rest.unshift(`-${inline}`) // letters in one argument, such as -vp
    const value = flag.type === 'boolean' ? true : inline || (rest.shift() ?? '')
    const to = notInRecipe.includes(name) ? left : flags
    const before = to[name]
    to[name] = flag.multiple && before !== undefined ? [before, value].flat().map(String) : value
  }
  return {flags, left}
}
