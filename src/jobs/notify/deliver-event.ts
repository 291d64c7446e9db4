import type {Clock} from '../../core/clock.js'
import type {NotifyEvent} from './event.js'
import type {RunRecord} from './outbox.js'

/** What came back from a target; a final refusal is not tried again. */
export type Answer = {isDelivered: boolean; isFinal?: boolean; text: string}

/** One target, by a name that reveals no secret. */
export type Sender = {
  kind: 'url' | 'command'
  shown: string
  /** Gives up when the signal is aborted. */
  send: (event: NotifyEvent, rid: string, stop?: AbortSignal) => Promise<Answer>
}

export type Tries = {
  clock: Clock
  /** Milliseconds to wait before each further try. */
  pauses: readonly number[]
  /** Aborted when nothing is to be tried again. */
  signal?: AbortSignal | undefined
  /** Aborted when nobody waits for an answer any longer. */
  stop?: AbortSignal | undefined
  /** Of a failure: what was not sent is kept. */
  record?: RunRecord | undefined
}

/** A target that was not reached, and why. */
export type Missed = {sender: Sender; text: string}

/** Sends an event to every target, and again to those that it did not reach. Returns the ones it never reached. */
export async function deliverEvent(
  {event, rid}: {event: NotifyEvent; rid: string},
  senders: readonly Sender[],
  {clock, pauses, stop, signal = stop, record}: Tries,
): Promise<Missed[]> {
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

/** Waits; false when that was cut short. */
export async function waits(milliseconds: number, clock: Clock, signal?: AbortSignal): Promise<boolean> {
  return clock.sleep(milliseconds, signal).then(
    () => true,
    () => false,
  )
}
