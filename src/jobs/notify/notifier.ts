import type {Clock} from '../../core/clock.js'
import {type Ended, type Facts, type NotifyEvent, type Run, toEndEvent, toStartEvent} from './event.js'
import type {Outstanding, RunRecord} from './outbox.js'
import {createTail} from './tail.js'

/** The answer of a target; a final refusal is not tried again. */
export type Answer = {isDelivered: boolean; isFinal?: boolean; text: string}

/** One target, by a name that reveals no secret. */
export type Sender = {
  kind: 'url' | 'command'
  shown: string
  /** Gives up when the signal is aborted. */
  send: (event: NotifyEvent, rid: string, stop?: AbortSignal) => Promise<Answer>
}

export type NotifierOptions = {
  run: Run
  senders: readonly Sender[]
  /** The record of this run until its end was reported; undefined where nothing can be kept. */
  record: RunRecord | undefined
  /** Failures of earlier runs that were not reported. */
  findOutstanding?: () => readonly Outstanding[]
  clock: Clock
  /** Milliseconds to wait before each further try. */
  pauses?: readonly number[]
  /** Milliseconds before a start is reported: a run that finds the lock in use by then reports nothing. */
  startAfter?: number
  /** Prints a warning once the command has ended. */
  warn: (text: string) => void
  redact: (text: string) => string
}

export type Notifier = ReturnType<typeof createNotifier>

const usualPauses = [1_000, 4_000]
const usualStartAfter = 3_000
const touchMilliseconds = 30_000

/** Notifies of one run, each event once, and warns at most once for each target. */
export function createNotifier(options: NotifierOptions) {
  const {run, senders, record, findOutstanding = () => []} = options
  const {clock, pauses = usualPauses, startAfter = usualStartAfter, warn, redact} = options
  const tail = createTail()
  const missed = new Map<Sender, string[]>()
  const ended = new AbortController()
  const stop = new AbortController()
  let isSilent = false
  let facts: Facts = {}
  let starting: Promise<void> | undefined

  return {
    /** The command runs: earlier failures and its start are reported while nobody waits. */
    start(): void {
      starting = reportEarlier().then(reportStart)
      void touch()
    },
    /** Takes the end upon this process, once no other is left to report it. */
    takeOver: () => void touch(),
    add: tail.add,
    /** Adds facts to the report of its end. */
    know(found: Facts): void {
      facts = found
    },
    /** Stops all tries; a failure that was not reported is left to the next run. */
    giveUp: () => stop.abort(),
    /** Resolves when the end was reported, or was tried in vain. */
    async end(how: Ended): Promise<void> {
      const event = toEndEvent(run, how, {at: clock.now(), messages: redact(tail.text()), facts})
      isSilent = event === undefined
      if (event?.event === 'failure') record?.change({event})
      else record?.close()
      ended.abort()
      await starting
      if (event) await report(event, {record: event.event === 'failure' ? record : undefined})
      const later = event?.event === 'failure' && record ? ' The next run reports the failure if it can.' : ''
      for (const [{shown}, texts] of missed) {
        warn(`${shown} was not notified of the ${texts.join(', nor of the ')}.${later}`)
      }
    },
  }

  async function reportEarlier(): Promise<void> {
    for (const {rid, event, to, record: earlier} of findOutstanding()) {
      const left = senders.filter(({kind}) => to === undefined || to.includes(kind))
      if (!earlier.mark()) continue
      const failed = await deliverEvent({event, rid}, left, {clock, pauses: [], record: earlier, stop: stop.signal})
      if (failed.length > 0) return
    }
  }

  async function reportStart(): Promise<void> {
    await waits(startAfter, clock, ended.signal)
    if (!isSilent) await report(toStartEvent(run), {signal: ended.signal})
  }

  async function report(
    event: NotifyEvent,
    more: {signal?: AbortSignal; record?: RunRecord | undefined},
  ): Promise<void> {
    for (const {sender, text} of await deliverEvent({event, rid: run.rid}, senders, {
      clock,
      pauses,
      stop: stop.signal,
      ...more,
    })) {
      missed.set(sender, [...(missed.get(sender) ?? []), `${event.event} (${text})`])
    }
  }

  /** Keeps the time of the record current, which counts as the end if this process is killed. */
  async function touch(): Promise<void> {
    while (record && (await waits(touchMilliseconds, clock, ended.signal))) record.touch(clock.now())
  }
}

type Tries = {
  clock: Clock
  /** Milliseconds to wait before each further try. */
  pauses: readonly number[]
  /** Aborted when nothing is to be tried again. */
  signal?: AbortSignal | undefined
  /** Aborted to give up requests in flight. */
  stop: AbortSignal
  /** The record of a failure: unsent notifications are kept. */
  record?: RunRecord | undefined
}

/** Sends an event to every target, and again to those that it did not reach. Returns the ones it never reached. */
async function deliverEvent(
  {event, rid}: {event: NotifyEvent; rid: string},
  senders: readonly Sender[],
  {clock, pauses, stop, signal = stop, record}: Tries,
): Promise<{sender: Sender; text: string}[]> {
  const missed = new Map<Sender, Answer>()
  let left = senders
  for (const milliseconds of [...pauses, undefined]) {
    record?.mark()
    const answers = await Promise.all(
      left.map(async (sender) => ({sender, answer: await sender.send(event, rid, stop)})),
    )
    for (const {sender, answer} of answers) {
      if (answer.isDelivered) missed.delete(sender)
      else missed.set(sender, answer)
    }

    const kinds = [...missed.keys()].map(({kind}) => kind)
    if (kinds.length > 0) record?.change({event, to: kinds})
    else record?.close()
    left = [...missed].flatMap(([sender, {isFinal}]) => (isFinal ? [] : [sender]))
    if (left.length === 0 || milliseconds === undefined || !(await waits(milliseconds, clock, signal))) break
  }

  return [...missed].map(([sender, {text}]) => ({sender, text}))
}

/** Waits; false when the wait was aborted. */
async function waits(milliseconds: number, clock: Clock, signal?: AbortSignal): Promise<boolean> {
  return clock.sleep(milliseconds, signal).then(
    () => true,
    () => false,
  )
}
