import {resolve} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {CliFailure, usage} from '../../core/errors.js'
import {deliverFile, toDeliveryCommand} from '../../jobs/deliver/deliver-file.js'
import {withoutSecrets} from '../../jobs/withheld.js'
import type {CommandContext} from '../app/command-context.js'
import {redact} from '../terminal/redact.js'
import {stopSignal} from '../terminal/signals.js'

/** What delivers a complete file of no export: the same command writes and delivers it again. Throws `usage`. */
export function toFileDelivery(deliver: string, path: string, {environment, messages}: CommandContext) {
  const command = toDeliveryCommand(deliver)
  if (command.usesManifest) throw usage('--deliver: only exports have a {manifest}.', 'Leave {manifest} out.')
  const options = {clock: systemClock, signal: stopSignal, environment: withoutSecrets(environment)}

  /** Throws `unavailable` where the command failed. */
  return async () => {
    const words = command.fill({file: resolve(path), manifest: ''})
    const end = await deliverFile(words, {...options, onLine: (line) => messages.note(line)})
    if (end.isDelivered) return messages.note(`Delivered ${path}.`)
    const {tries, why, last} = end
    const text = redact([why, ...last.slice(-1)].join(': '))
    const times = tries === 1 ? '1 try' : `${tries} tries`
    throw new CliFailure(`${path} is complete, but it was not delivered (${times}): ${text}.`, {
      code: 'DELIVERY_FAILED',
      exit: 'unavailable',
      retry: 'safe',
      hints: ['Run the same command again: it writes the file anew and delivers it.'],
    })
  }
}
