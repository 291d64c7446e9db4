import {randomUUID} from 'node:crypto'
import {exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {entryOf, usage} from '../../core/errors.js'
import {redact} from '../../core/redact.js'
import {findJobs} from '../../jobs/file/find-jobs.js'
import {withholding} from '../../jobs/file/job.js'
import {type NotifyEvent, type Run, toEndEvent, toStartEvent} from '../../jobs/notify/event.js'
import {cautionOpen, toSenders} from '../../jobs/notify/notice.js'
import type {CommandContext} from '../app/command-context.js'
import {simpleTable} from '../terminal/simple-table.js'
import {findTargets} from './find-targets.js'
import {readJobsFile} from './jobs-file.js'
import type {RunFlags} from './jobs-flags.js'
import {toNoticeNeeds} from './notice-needs.js'

type Result = {target: string; event: string; delivered: boolean; answer: string}

/** Sends every event once to every target, and shows what came back. Ends `unavailable` where one was not delivered. */
export async function testNotification(job: string | undefined, flags: RunFlags, context: CommandContext) {
  const {environment, commandName, present} = context
  const [known] = job === undefined ? [] : findJobs([job], await readJobsFile(flags, context))
  const {targets, wrong} = await findTargets(known, flags, environment)
  if (wrong[0]) throw wrong[0]
  const given = known ? withholding(known, environment) : environment
  const senders = toSenders(targets, toNoticeNeeds(targets, {...context, environment: given}))
  if (senders.length === 0)
    throw usage(
      job === undefined ? 'There is nobody to notify.' : `The job ${JSON.stringify(job)} notifies nobody.`,
      'Give --notify-url or --notify-command, or name a job that has notify.',
    )
  cautionOpen(targets, context.caution)
  const rid = randomUUID()
  const results: Result[] = []
  for (const event of toEvents({name: job ?? commandName, command: commandName, at: systemClock.now(), rid})) {
    for (const {shown, send} of senders) {
      const {isDelivered, text} = await send(event, rid)
      results.push({target: shown, event: event.event, delivered: isDelivered, answer: redact(text)}) // it may repeat the address
    }
  }

  const failed = results.filter(({delivered}) => !delivered)
  const rows = results.map(({target, event, delivered, answer}) => [target, event, delivered ? 'ok' : 'failed', answer])
  const text = await simpleTable(['target', 'event', 'result', 'answer'], rows)
  await present({
    ...{data: results, text, exit: failed.length > 0 ? 'unavailable' : 'ok'},
    errors: failed.map(({target, event, answer}) =>
      entryOf('NOTIFY_FAILED', `${target} was not notified of the ${event} (${answer}).`, {retry: 'safe'}),
    ),
  })
}

/** The start, a success and a failure of a run that does nothing. */
function toEvents(run: Run): NotifyEvent[] {
  const ends = ['ok', 'failure'] as const
  const messages = 'This is a test: nothing was run.'
  const known = ends.map((name) => toEndEvent(run, {exitCode: exitCodeOf(name).code}, {at: run.at, messages}))
  return [toStartEvent(run), ...known.filter((event) => event !== undefined)]
}
