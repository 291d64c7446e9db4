import {stripVTControlCharacters} from 'node:util'
import type {Environment} from '../../core/environment.js'
import {createProcessState} from '../../core/process-state.js'
import {redact, registerSecretUrl} from '../../core/redact.js'
import {type FromCommand, isFromWatcher, type Started, watchedVariable} from '../../jobs/notify/channel.js'
import type {Facts} from '../../jobs/notify/event.js'
import {createTail} from '../../jobs/notify/tail.js'
import {copyMessages} from '../terminal/error-output.js'

/** Steps at the end of a watched command, whether or not the process that watches it is still there. */
type Ending = {know(facts: Facts): void; record(exitCode: number): void; report(exitCode: number): Promise<void>}

/** A process is watched by one other at most. */
const state = createProcessState(() => ({ending: undefined as Ending | undefined}))

/** Sends the messages of this command to the process that watches it, if there is one. */
export async function reportToWatcher(environment: Environment): Promise<void> {
  const isWatched = process.env[watchedVariable] !== undefined
  delete process.env[watchedVariable]
  const started = isWatched && process.channel ? await findStarted() : undefined
  process.channel?.unref()
  if (!started) return
  registerSecretUrl(started.targets.url)
  const tail = createTail()
  copyMessages((text) => {
    const message = redact(stripVTControlCharacters(text))
    tail.add(message)
    send({kind: 'message', text: message})
  })
  const {createEnding} = await import('../jobs/notice-needs.js')
  state().ending = createEnding(started, tail, environment)
}

/** The first message of the watching process; undefined where it is gone already. */
function findStarted(): Promise<Started | undefined> {
  return new Promise((resolve) => {
    process.once('message', (message) => resolve(isFromWatcher(message) ? message.started : undefined))
    process.once('disconnect', () => resolve(undefined))
  })
}

/** Reports facts about this command besides its exit code. */
export function reportFacts({rows, file, grade, range}: Facts): void {
  const facts = {rows, file: file && redact(file), grade, range}
  state().ending?.know(facts)
  if (state().ending) send({kind: 'facts', facts})
}

/** Records how this command ends, in case no other process sees it. */
export function recordEnd(exitCode: number): void {
  state().ending?.record(exitCode)
}

/** Records how this command ends, and notifies where the watching process is gone. */
export async function reportEnd(exitCode: number): Promise<void> {
  recordEnd(exitCode)
  await state().ending?.report(exitCode)
}

/** Sends a message to the watching process, unless that is gone. */
function send(message: FromCommand): void {
  if (process.connected) process.send?.(message, () => undefined)
}
