import {join} from 'node:path'
import {isSea} from 'node:sea'
import type {Ended} from '../../jobs/notify/event.js'
import {type Watch, watch} from '../../jobs/notify/watch.js'
import {ignoreErrorsOfStderr, say} from '../terminal/error-output.js'
import {passSignals} from '../terminal/signals.js'

/** A command of this program, the name of its job or its own, and the folder of the package. */
type OwnCommand = {root: string; name: string} & Omit<Watch, 'program' | 'onSignal'>

/** Runs a command of this program as a child; where it is killed, this process says so, because it could not itself. */
export async function runOwn({root, name, ...options}: OwnCommand): Promise<Ended> {
  const ended = await watch({...options, program: ownProgram(root), onSignal: passSignals})
  if (ended.signal === undefined) return ended
  ignoreErrorsOfStderr()
  say(`error: ${name} was killed by ${ended.signal}.\n→ Run the same command again; what was recorded is kept.\n`)
  return ended
}

/** How this executable starts the program again: no arguments when the program is embedded in it. */
export function ownProgram(root: string): {file: string; args: string[]} {
  return {file: process.execPath, args: isSea() ? [] : [...process.execArgv, join(root, 'bin', 'run.js')]}
}
