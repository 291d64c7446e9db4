import {stripVTControlCharacters} from 'node:util'
import {type FromCommand, isFromWatcher, watchedBy} from '../../jobs/notify/channel.js'
import type {Started} from '../../jobs/notify/notifier.js'
import {copyMessages} from '../terminal/error-output.js'
import {redact, registerSecret} from './redact.js'

/** Of the process: it is watched by one other at most. */
let started: Started | undefined

/** Sends what this command prints to the process that watches it, if one does. */
export function reportToWatcher(): void {
  const by = process.env[watchedBy]
  delete process.env[watchedBy]
  if (by !== String(process.ppid) || !process.connected) return
  copyMessages((text) => send({kind: 'message', text: redact(stripVTControlCharacters(text))}))
  process.on('message', (message) => {
    if (!isFromWatcher(message)) return
    started = message.started
    registerSecret(started.targets.url)
  })
  process.channel?.unref()
}

/** The process that watches may be gone. */
function send(message: FromCommand): void {
  if (process.connected) process.send?.(message, () => undefined)
}
