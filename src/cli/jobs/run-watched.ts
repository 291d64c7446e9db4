import {systemClock} from '../../core/clock.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {Ended} from '../../jobs/notify/event.js'
import type {Environment} from '../app/environment.js'
import {runOwn} from './run-own.js'

export type Watched = {
  /** Of the job, of `--since-last`, or the command. */
  name: string
  /** Such as `reports transactions`. */
  command: string
  /** The command and its arguments, without what notifies. */
  args: readonly string[]
  environment: Environment
  /** Where its standard output goes; that of this process unless given. */
  stdout?: number | undefined
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
  const {args, environment, stdout, root, name} = watched
  return runOwn({
    ...{root, name, args, stdout},
    environment: {...environment, [urlVariable]: undefined, [urlFileVariable]: undefined, [commandVariable]: undefined},
    notice: await findNotice(watched),
  })
}

async function findNotice(watched: Watched) {
  const {name, command, targets = {}} = watched
  if (targets.url === undefined && targets.command === undefined) return undefined
  const {openNotice} = await import('./create-notice.js')
  const run = {name, command, at: systemClock.now(), rid: crypto.randomUUID()}
  const opened = openNotice(run, targets, watched)
  return opened && {...opened, started: {run, targets, record: opened.record?.path}}
}
