import {join} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import type {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {redact, registerSecretUrl} from '../../core/redact.js'
import type {Started, Targets} from '../../jobs/notify/channel.js'
import {type Facts, type Run, toEndEvent} from '../../jobs/notify/event.js'
import {continueNotice, type NoticeNeeds, openNotice} from '../../jobs/notify/notice.js'
import type {Notifier} from '../../jobs/notify/notifier.js'
import {findRecord} from '../../jobs/notify/outbox.js'
import type {Tail} from '../../jobs/notify/tail.js'
import {createMessages, renderFailure, toText} from '../app/messages.js'

type Context = {environment: Environment; caution: (text: string) => void}

/** What notifying these targets needs; registers their address as a secret. */
export function toNoticeNeeds({url}: Targets, {environment, caution}: Context): NoticeNeeds {
  registerSecretUrl(url)
  return {environment, caution, folder: findFolder(environment), clock: systemClock, redact}
}

/** Reports a run that failed before it could start anything. */
export async function reportRefusal(run: Run, targets: Targets, failure: CliFailure, context: Context): Promise<void> {
  const opened = openNotice(run, targets, toNoticeNeeds(targets, context))
  opened?.notifier.add(stripVTControlCharacters(toText([renderFailure(failure, process.stderr)])))
  await opened?.notifier.end({exitCode: failure.exitCode})
}

/** The folder of records; undefined where other users could change it. */
function findFolder(environment: Environment): string | undefined {
  try {
    return join(stateFolder(environment), 'notifications')
  } catch {
    return undefined
  }
}

/** Records the end of a watched command, and reports it where the watching process is gone. */
export function createEnding({run, targets, record: path}: Started, tail: Tail, environment: Environment) {
  const record = path === undefined ? undefined : findRecord(path)
  record?.addProcess(process.pid) // the one that watches may have been killed before it could
  let notifier: Notifier | undefined
  let facts: Facts = {}
  const takeOver = () => {
    const {note} = createMessages({quiet: false, verbose: false})
    const needs = toNoticeNeeds(targets, {environment, caution: (text) => note(`warning: ${text}`)})
    notifier = continueNotice(run, targets, record, needs)
    notifier.takeOver()
  }
  if (process.connected) process.once('disconnect', takeOver)
  else takeOver()

  return {
    know(found: Facts) {
      facts = found
    },
    record(exitCode: number) {
      const event = toEndEvent(run, {exitCode}, {at: systemClock.now(), messages: tail.text(), facts})
      if (event?.event === 'failure') record?.change({event})
      else record?.close()
    },
    async report(exitCode: number) {
      notifier?.add(tail.text())
      notifier?.know(facts)
      await notifier?.end({exitCode})
    },
  }
}
