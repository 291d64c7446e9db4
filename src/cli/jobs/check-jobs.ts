import {systemClock} from '../../core/clock.js'
import {toDuration} from '../../core/durations.js'
import {CliFailure} from '../../core/errors.js'
import {invalidJobs, type JobsFile} from '../../jobs/file/find-jobs.js'
import {
  type FlagValue,
  findRelativePaths,
  flagArguments,
  flagsOf,
  type GivenFlag,
  hasVariable,
  type Job,
  type JobProblem,
  type Place,
  toId,
} from '../../jobs/file/job.js'
import {toNotifyUrl} from '../../jobs/notify/send-url.js'
import type {CommandFacts} from '../../values/command-facts.js'
import {counted} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import {findPeriod} from '../../values/relative-date.js'
import type {CommandContext, OtherCommands} from '../app/command-context.js'
import {findWrongFlags} from '../read/filter-values.js'
import {readJobsFile} from './jobs-file.js'
import type {JobsFlags} from './jobs-flags.js'

/** Checks the jobs file completely, offline, and warns of relative paths. Throws `invalid` with every problem by its place. */
export async function checkJobs(flags: JobsFlags, context: CommandContext): Promise<void> {
  const {commands, caution, present} = context
  const file = await readJobsFile(flags, context)
  const {path, jobs} = file
  const all = await findProblems(file, commands)
  if (all.length > 0) throw invalidJobs(path, all)
  const known = await commands.known()
  const notices = jobs.flatMap((job) => findRelativePaths(job, known[toId(job.command)] ?? {}))
  for (const {line, column, message} of notices) caution(`${placeText({file: path, line, column})} ${message}`)
  const names = jobs.map(({name}) => name)
  await present({data: {file: path, jobs: names}, text: `${path}: ${counted(names.length, 'job')}, no problems.\n`})
}

/** All problems of a jobs file, by their places. */
export async function findProblems({jobs, problems}: JobsFile, commands: OtherCommands): Promise<JobProblem[]> {
  const known = await commands.known()
  const isKnown = (job: Job) => Object.hasOwn(known, toId(job.command))
  const told = Map.groupBy(problems, ({job}) => job)
  const values = await Promise.all(
    jobs
      .filter(isKnown)
      .map((job) => checkValues(job, known[toId(job.command)], {commands, told: told.get(job.name) ?? []})),
  )
  return [...problems, ...values.flat()].sort((one, other) => one.line - other.line || one.column - other.column)
}

/** The commands of the program, and the problems that were found by reading the file. */
type Checks = {commands: OtherCommands; told: readonly JobProblem[]}

/** Problems that the command of a job would report, by the flags that they are about. */
async function checkValues(job: Job, facts: CommandFacts = {}, {commands, told}: Checks): Promise<JobProblem[]> {
  const places = new Set(told.map(placeOf))
  const id = toId(job.command)
  const flags = flagsOf(job)
  const names = new Set(flags.map(({name}) => name))
  const basis = flags.find(({name}) => name === 'time-basis')
  const dates = basis && {'time-basis': basis.isVariable ? 'utc' : basis.value} // utc refuses no date
  const found = await Promise.all(
    flags.map(async (flag) => {
      const isTold = places.has(placeOf(flag.place))
      if (isTold) return []
      const wrong = await findWrong(flag, facts, {
        command: job.command,
        dates,
        check: (words) => commands.check(id, words),
      })
      const messages = [...(wrong === undefined ? [] : [wrong]), ...findClashes(flag, names, facts)]
      return messages.map((message) => ({...flag.place, job: job.name, message}))
    }),
  )
  const more = found.flat()
  const isTold = more.length > 0 || places.size > 0
  const wrong = isTold ? undefined : await commands.check(id, [...flags.flatMap(flagArguments), ...toArgs(job)])
  const known = flags.filter((flag) => !flag.isVariable && !isFile(flag)).map(({name, value}) => [name, value] as const)
  const together = isTold ? undefined : findWrongFlags(job.command, {...dates, ...Object.fromEntries(known)})
  const isSure = wrong?.isTogether || !flags.some(({isVariable}) => isVariable) // the value of a variable may be right
  const message = (isSure ? wrong?.failure.message : undefined) ?? together ?? findWrongUrl(job)
  const place = job.places['args'] ?? job.places['command'] ?? job.place
  return message === undefined ? more : [...more, {...place, job: job.name, message}]
}

/** Whether a value is `@FILE`, which may exist only when the job runs. */
function isFile({value}: GivenFlag): boolean {
  return [value].flat().some((text) => String(text).startsWith('@'))
}

function findWrongUrl({notify: {url} = {}}: Job): string | undefined {
  if (url === undefined || hasVariable(url) || toNotifyUrl(url)) return undefined
  return 'notify.url is not an http:// or https:// address'
}

function toArgs({args = []}: Job): string[] {
  return args.length > 0 ? ['--', ...args] : []
}

type Check = (words: readonly string[]) => ReturnType<OtherCommands['check']>

/** The reason why a value is wrong by itself; the value of a variable is known only when the job runs. */
async function findWrong(
  flag: GivenFlag,
  {flags = {}}: CommandFacts,
  {command, dates, check}: {command: string; dates: Record<string, FlagValue> | undefined; check: Check},
): Promise<string | undefined> {
  if (flag.isVariable) return undefined
  const wrong = await check(flagArguments(flag))
  if (wrong && !wrong.isTogether) return wrong.failure.message
  const [{helpValue} = {}, text] = [flags[flag.name], String(flag.value)]
  try {
    if (helpValue === 'TIME') toDuration(text, flag.name)
    const isDate = helpValue !== 'DATE' || findPeriod(text, systemClock.now()) !== undefined
    if (isDate) return isFile(flag) ? undefined : findWrongFlags(command, {...dates, [flag.name]: flag.value})
    return `${JSON.stringify(text)} is not a date: write 2024-07-01, yesterday, -7d or the like`
  } catch (error) {
    if (error instanceof CliFailure) return error.message
    throw error
  }
}

/** Messages about missing flags that a flag needs, and about given ones that it excludes. */
function findClashes({name}: GivenFlag, names: ReadonlySet<string>, {flags = {}}: CommandFacts): string[] {
  const {dependsOn = [], exclusive = []} = (Object.hasOwn(flags, name) && flags[name]) || {}
  return [
    ...dependsOn.filter((other) => !names.has(other)).map((other) => `${name} needs ${other}`),
    ...exclusive.filter((other) => names.has(other)).map((other) => `${name} and ${other} exclude each other`),
  ]
}

function placeOf({line, column}: Place): string {
  return `${line}:${column}`
}
