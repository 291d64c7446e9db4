import {systemClock} from '../../core/clock.js'
import type {Started} from '../../jobs/notify/channel.js'
import {type Facts, toEndEvent} from '../../jobs/notify/event.js'
import {continueNotice} from '../../jobs/notify/notice.js'
import type {Notifier} from '../../jobs/notify/notifier.js'
import {findRecord} from '../../jobs/notify/outbox.js'
import type {Tail} from '../../jobs/notify/tail.js'
import type {Environment} from '../app/environment.js'
import {createMessages} from '../app/messages.js'
import {toNoticeNeeds} from './notice-needs.js'

/** What a watched command does at its end: it records it, and reports it where the process that watched is gone. */
export function createEnding({run, targets, record: path}: Started, tail: Tail, environment: Environment) {
  const record = path === undefined ? undefined : findRecord(path)
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
