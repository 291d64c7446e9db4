import type {Clock} from '../../core/clock.js'
import {deliverEvent, type Sender, waits} from './deliver-event.js'
import {type Ended, type NotifyEvent, toEndEvent, toStartEvent} from './event.js'
import {createTail} from './tail.js'

/** Whom to notify: an address, and a command as words. */
export type Targets = {url?: string | undefined; command?: readonly string[] | undefined}

/** What is known when a command starts. Its process is told, and notifies when the one that watches it is gone. */
export type Started = {name: string; command: string; at: number; rid: string; targets: Targets}

export type NotifierOptions = {
  started: Started
  senders: readonly Sender[]
  clock: Clock
  /** Milliseconds to wait before each further try. */
  pauses?: readonly number[]
  /** Milliseconds before a start is reported: a run that finds the lock taken by then reports nothing. */
  startAfter?: number
  /** Prints a warning once the command has ended. */
  warn: (text: string) => void
  redact: (text: string) => string
}

/** Notifies of one run, each event once, and warns at most once for each target. */
export type Notifier = {
  started: Started
  /** The command runs: its start is reported while nobody waits. */
  start(): void
  add(message: string): void
  /** Resolves when the end was reported, or was tried in vain. */
  end(how: Ended): Promise<void>
}

const usualPauses = [1_000, 4_000]
const usualStartAfter = 3_000

export function createNotifier(options: NotifierOptions): Notifier {
  const {started, senders, clock, pauses = usualPauses, startAfter = usualStartAfter, warn, redact} = options
  const tail = createTail()
  const problems = new Map<Sender, string[]>()
  const ended = new AbortController()
  let isSilent = false
  let starting: Promise<void> | undefined

  return {
    started,
    start() {
      starting = reportStart()
    },
    add: tail.add,
    async end(how) {
      const event = toEndEvent(started, how, {at: clock.now(), messages: redact(tail.text())})
      isSilent = event === undefined
      ended.abort()
      await starting
      if (event) await report(event)
      for (const [{shown}, texts] of problems) warn(`${shown} was not notified of the ${texts.join(', nor of the ')}.`)
    },
  }

  async function reportStart(): Promise<void> {
    await waits(startAfter, clock, ended.signal)
    if (!isSilent) await report(toStartEvent(started), ended.signal)
  }

  async function report(event: NotifyEvent, signal?: AbortSignal): Promise<void> {
    for (const {sender, text} of await deliverEvent({event, rid: started.rid}, senders, {clock, pauses, signal})) {
      problems.set(sender, [...(problems.get(sender) ?? []), `${event.event} (${text})`])
    }
  }
}
