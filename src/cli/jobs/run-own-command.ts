import {join} from 'node:path'
import {isSea} from 'node:sea'
import {systemClock} from '../../core/clock.js'
import {commandVariable, type Targets, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import type {Ended} from '../../jobs/notify/event.js'
import {type Watch, watch} from '../../jobs/notify/watch.js'
import {ignoreErrorsOfStderr, say} from '../terminal/error-output.js'
import {passSignals} from '../terminal/signals.js'

/** A command of this program; `root` is the folder of the package. */
type OwnCommand = Omit<Watch, 'program' | 'onSignal' | 'notice'> & {
  root: string
  /** Name of the job, of `--since-last`, or the command. */
  name: string
}

/** A command and whom to notify of it; `command` is its name, such as `reports transactions`. */
type Watched = OwnCommand & {command: string; targets?: Targets; caution: (text: string) => void}

/** Runs a command of this program as `runOwn` does, and notifies. The child gets no target, so that it notifies nobody. */
export async function runWatched(watched: Watched): Promise<Ended> {
  const notice = await findNotice(watched)
  const none = {[urlVariable]: undefined, [urlFileVariable]: undefined, [commandVariable]: undefined}
  return runOwn({...watched, environment: {...watched.environment, ...none}}, notice)
}

async function findNotice(watched: Watched): Promise<Watch['notice']> {
  const {name, command, targets = {}} = watched
  if (targets.url === undefined && targets.command === undefined) return undefined
  const [{openNotice}, {toNoticeNeeds}] = await Promise.all([
    import('../../jobs/notify/notice.js'),
    import('./notice-needs.js'),
  ])
  const run = {name, command, at: systemClock.now(), rid: crypto.randomUUID()}
  const opened = openNotice(run, targets, toNoticeNeeds(targets, watched))
  return opened && {...opened, started: {run, targets, record: opened.record?.path}}
}

/**
 * Runs a command of this program as a child with the streams of this process. Resolves with how it ended, and reports
 * on standard error when it was killed.
 */
export async function runOwn({root, name, args, environment, stdout}: OwnCommand, notice?: Watch['notice']) {
  const ended = await watch({args, environment, stdout, notice, program: ownProgram(root), onSignal: passSignals})
  if (ended.signal === undefined) return ended
  ignoreErrorsOfStderr()
  say(`error: ${name} was killed by ${ended.signal}.\n→ Run the same command again; what was recorded is kept.\n`)
  return ended
}

/** The command that starts the program again: no arguments when the program is embedded in the executable. */
export function ownProgram(root: string): {file: string; args: string[]} {
  return {file: process.execPath, args: isSea() ? [] : [...process.execArgv, join(root, 'bin', 'run.js')]}
}
