import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, lockWithin} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import {isPlainOutput} from '../../formats/files/part-file.js'
import {outputLocked, stateNameOf} from '../../reports/export/export-identity.js'
import {exportsFolder} from '../../reports/register/activities.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

/**
 * Takes the lock of an output file, which exports take, too, and returns its release. Throws `locked` while another run
 * has it. Where no lock can be made, a second run is noticed by the file itself.
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
