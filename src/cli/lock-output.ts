import {join} from 'node:path'
import {CliFailure} from '../errors.js'
import {isPlainOutput} from '../formats/part-file.js'
import {outputLocked, stateNameOf} from '../reports/export-identity.js'
import {exportsFolder} from '../state/export-runs.js'
import {type Lock, lockWithin} from '../state/lock.js'
import {describeHolder} from '../state/lock-holder.js'
import type {Environment} from './environment.js'
import {stateFolder} from './folders.js'

/**
 * Takes the one lock of an output file, which exports take, too, and returns what gives it back. Throws `locked` when
 * others keep it. Where no lock can be made, a run that is overtaken finds out by the file itself.
 */
export async function lockOutput(path: string, environment: Environment, milliseconds: number): Promise<() => void> {
  if (!(await isPlainOutput(path))) return () => undefined
  const file = join(exportsFolder(stateFolder(environment)), `${stateNameOf(path)}.lock`)
  let lock: Lock | undefined
  try {
    lock = await lockWithin(file, 'The lock of this output file', {milliseconds})
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
    return () => undefined
  }

  if (!lock) throw outputLocked(path, describeHolder(file))
  return () => {
    lock?.remove()
    lock = undefined
  }
}
