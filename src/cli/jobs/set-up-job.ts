import {resolve} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {usage} from '../../core/errors.js'
import {asksFirst} from '../../jobs/file/check-command.js'
import {findRelativePaths, type Job, toId, variable} from '../../jobs/file/job.js'
import {kubernetes} from '../../jobs/setup/cron-job.js'
import {cron} from '../../jobs/setup/crontab.js'
import {findEnvironment, findProgram, noticesOf} from '../../jobs/setup/own-start.js'
import {parseTimeOfDay, sayTime, type TimeOfDay} from '../../jobs/setup/schedule.js'
import type {Outcome, Scheduler, Subject} from '../../jobs/setup/scheduler.js'
import {systemd} from '../../jobs/setup/systemd-units.js'
import {windows} from '../../jobs/setup/windows-task.js'
import {github} from '../../jobs/setup/workflow.js'
import type {CommandContext} from '../app/command-context.js'
import type {FlagValues} from '../app/flags.js'
import {findJobs, readJobsFile} from './jobs-file.js'
import type {JobsFlags, SchedulerName, setupFlags} from './jobs-flags.js'

export type SetupRequest = {scheduler: SchedulerName; name: string} & FlagValues<typeof setupFlags> & JobsFlags

const schedulers: Readonly<Record<SchedulerName, Scheduler>> = {cron, systemd, github, kubernetes, windows}

/** Prints what starts a job every day, or installs or removes it. */
export async function setUpJob(request: SetupRequest, root: string, context: CommandContext): Promise<void> {
  const {scheduler, name} = request
  const {install, remove, show} = schedulers[scheduler]
  if (request.remove) return report(request, remove(name, context.environment), context)
  const at = readTime(request)
  const image = readImage(request)
  const [job] = findJobs([name], await readJobsFile(request, context))
  if (!job) return
  const known = await context.commands.known()
  const facts = known[toId(job.command)] ?? {}
  const relative = findRelativePaths(job, facts).map(({message}) => message)
  const subject = {...toSubject(request, at, job, root, context), image, relative, writes: asksFirst(facts)}
  const notices = scheduler === 'github' || scheduler === 'kubernetes' ? [] : noticesOf(subject, scheduler)
  if (request.install) return report(request, install(subject), context, notices)

  const {text, advice} = show(subject)
  context.messages.note([...notices, ...advice.map((step) => `→ ${step}`)])
  await context.present({text, data: {scheduler, name, at: sayTime(at), did: 'shown', text, advice}})
}

function readTime({scheduler, name, at: text}: SetupRequest): TimeOfDay {
  const example = commandLine(`jobs setup ${scheduler}`, [name], {at: '02:10'})
  if (text === undefined)
    throw usage('--at is missing: the time of day at which the job starts.', `For example: ${example}`)
  const at = parseTimeOfDay(text)
  if (at) return at
  throw usage(`--at: not a time of the 24-hour clock: ${JSON.stringify(text)}`, `For example: ${example}`)
}

function readImage({scheduler, image = '', name}: SetupRequest): string {
  if ((scheduler === 'kubernetes') === (image !== '')) return image
  if (image !== '') throw usage(`--image is for kubernetes only; ${scheduler} starts the program of this machine.`)
  const flags = {at: '02:10', image: 'registry.example.com/vendorctl:0.1'}
  throw usage(
    '--image is missing: the image of the program, which the pods start.',
    `For example: ${commandLine('jobs setup kubernetes', [name], flags)}`,
    'How to build one: vendorctl help ci',
  )
}

function toSubject(
  request: SetupRequest,
  at: TimeOfDay,
  job: Job,
  root: string,
  {environment, version}: CommandContext,
): Omit<Subject, 'image' | 'relative' | 'writes'> {
  const {scheduler, name} = request
  const {'output-file': output} = job.flags
  const jobsFile = resolve(job.file)
  const file = request['jobs-file'] === undefined ? {} : {'jobs-file': jobsFile}
  const words = ['jobs', 'run', name, ...Object.entries(file).flatMap(([flag, value]) => [`--${flag}`, value])]
  const image = request.image === undefined ? {} : {image: request.image}
  const madeBy = commandLine(`jobs setup ${scheduler}`, [name], {at: sayTime(at), ...image, ...file})
  return {
    ...{name, at, madeBy, jobsFile, version, shell: environment},
    program: [...findProgram(root, environment), ...words],
    environment: findEnvironment(environment),
    profile: job.profile,
    output: typeof output === 'string' && output !== '-' ? output : undefined,
    delivers: job.deliver !== undefined,
    variables: variablesOf(job),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: systemClock.now(),
  }
}

/** The variables that a job mentions, without those that every scheduler sets. */
function variablesOf({flags, args, deliver, notify, env = []}: Job): string[] {
  const found = JSON.stringify([flags, args, deliver, notify]).matchAll(variable)
  const names = [...[...found].map(([, name = '']) => name), ...env]
  return [...new Set(names)].filter((name) => name !== 'HOME' && name !== 'PATH')
}

async function report(
  {scheduler, name, at, remove}: SetupRequest,
  {did, where, before, advice}: Outcome,
  {messages, present}: CommandContext,
  notices: readonly string[] = [],
): Promise<void> {
  const sentence = {
    installed: `Installed in ${where}: job ${name}, every day at ${at}.`,
    replaced: `Replaced in ${where}: job ${name}, every day at ${at}.`,
    unchanged: `Already in ${where}: job ${name}, every day at ${at}. Nothing was changed.`,
    removed: `Removed from ${where}: job ${name}.`,
    absent: `Job ${name} is not in ${where}. Nothing was changed.`,
  }[did]
  const was = before === undefined ? [] : [`It was: ${before}`]
  const undo = remove ? [] : [`Remove it: ${commandLine(`jobs setup ${scheduler}`, [name], {remove: true})}`]
  messages.note([sentence, ...was, ...notices, ...[...advice, ...undo].map((step) => `→ ${step}`)])
  await present({data: {scheduler, name, ...(at !== undefined && {at}), did, where, advice}})
}
