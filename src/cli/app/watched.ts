import {stripVTControlCharacters} from 'node:util'
import {type FromCommand, isFromWatcher, watchedVariable} from '../../jobs/notify/channel.js'
import {createTail} from '../../jobs/notify/tail.js'
import {copyMessages} from '../terminal/error-output.js'
import type {Environment} from './environment.js'
import {redact, registerSecret} from './redact.js'

/** What a watched command does at its end, whether or not the process that watches it is still there. */
type Ending = {record(exitCode: number): void; report(exitCode: number): Promise<void>}

/** Of the process: it is watched by one other at most. */
let ending: Ending | undefined

/** Sends what this command prints to the process that watches it, if one does. */
export function reportToWatcher(environment: Environment): void {
  const isWatched = process.env[watchedVariable] !== undefined
  delete process.env[watchedVariable]
  if (!isWatched || !process.channel) return
  const tail = createTail()
  copyMessages((text) => {
    const message = redact(stripVTControlCharacters(text))
    tail.add(message)
    send({kind: 'message', text: message})
  })
  process.on('message', (message) => {
    if (!isFromWatcher(message)) return
    registerSecret(message.started.targets.url)
    void import('../jobs/end-watched.js').then(({createEnding}) => {
      ending = createEnding(message.started, tail, environment)
    })
  })
  process.channel.unref()
}

/** Records how this command ends, in case that nobody else saw it. */
export function recordEnd(exitCode: number): void {
  ending?.record(exitCode)
}

/** Records it, and notifies where the process that watched is gone. */
export async function reportEnd(exitCode: number): Promise<void> {
  ending?.record(exitCode)
  await ending?.report(exitCode)
}

/** The process that watches may be gone. */
function send(message: FromCommand): void {
  if (process.connected) process.send?.(message, () => undefined)
}
