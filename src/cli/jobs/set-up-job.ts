import {commandLine} from '../../core/command-line.js'
import {usage} from '../../core/errors.js'
import {findJobs} from '../../jobs/file/find-jobs.js'
import {toId} from '../../jobs/file/job.js'
import {noticesOf} from '../../jobs/setup/own-start.js'
import {parseTimeOfDay, sayTime, type TimeOfDay} from '../../jobs/setup/schedule.js'
import type {Outcome} from '../../jobs/setup/scheduler.js'
import {schedulers, toSubject} from '../../jobs/setup/schedulers.js'
import type {CommandContext} from '../app/command-context.js'
import type {FlagValues} from '../app/flags.js'
import {readJobsFile} from './jobs-file.js'
import type {JobsFlags, SchedulerName, setupFlags} from './jobs-flags.js'

export type SetupRequest = {scheduler: SchedulerName; name: string} & FlagValues<typeof setupFlags> & JobsFlags

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
  const asked = {...request, at, image, jobsFile: request['jobs-file']}
  const subject = toSubject(asked, job, facts, {...context, root})
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
