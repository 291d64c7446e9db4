import {randomUUID} from 'node:crypto'
import {systemClock} from '../../core/clock.js'
import type {Sender} from '../../jobs/notify/deliver-event.js'
import type {Ended} from '../../jobs/notify/event.js'
import {createNotifier, type Notifier, type Targets} from '../../jobs/notify/notifier.js'
import {createCommandSender} from '../../jobs/notify/send-command.js'
import {createUrlSender, isOpenToOthers, showUrl} from '../../jobs/notify/send-url.js'
import {watch} from '../../jobs/notify/watch.js'
import type {Environment} from '../app/environment.js'
import {redact, registerSecret} from '../app/redact.js'
import {passSignals} from '../app/signals.js'
import {commandVariable, urlFileVariable, urlVariable} from './notify-values.js'
import {ownProgram} from './own-program.js'

export type Watched = {
  /** Of the job, of `--since-last`, or the command. */
  name: string
  /** Such as `reports transactions`. */
  command: string
  /** The command and its arguments, without what notifies. */
  args: readonly string[]
  environment: Environment
  /** Nobody is notified without any. */
  targets?: Targets
  /** The folder of the package. */
  root: string
  caution: (text: string) => void
}

/**
 * Runs a command of this program as a child with the streams of this process, and notifies. Resolves with how it ended;
 * its exit code is that of this process where it is the only one.
 */
export async function runWatched(watched: Watched): Promise<Ended> {
  const {args, environment, root} = watched
  const rest = {...environment, [urlVariable]: undefined, [urlFileVariable]: undefined, [commandVariable]: undefined}
  const notifier = toNotifier(watched)
  return watch({program: ownProgram(root), args, environment: rest, onSignal: passSignals, notifier})
}

function toNotifier({name, command, targets = {}, environment, caution}: Watched): Notifier | undefined {
  const senders = toSenders(targets, environment)
  if (senders.length === 0) return undefined
  const started = {name, command, at: systemClock.now(), rid: randomUUID(), targets}
  registerSecret(targets.url)
  if (targets.url !== undefined && isOpenToOthers(new URL(targets.url))) caution(describeOpen(new URL(targets.url)))
  return createNotifier({started, senders, clock: systemClock, warn: caution, redact})
}

/** The targets as they are notified; commands get an environment without secrets of this program. */
function toSenders({url, command}: Targets, environment: Environment): Sender[] {
  return [
    ...(url === undefined ? [] : [createUrlSender(new URL(url), {environment})]),
    ...(command === undefined ? [] : [createCommandSender(command, {environment: process.env, clock: systemClock})]),
  ]
}

function describeOpen(url: URL): string {
  return `Notifications go to ${showUrl(url)} by plain http: anyone on the way can read them, and the address`
}
