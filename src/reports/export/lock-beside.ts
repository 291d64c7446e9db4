import {existsSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, tryLock} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import {outputLocked} from './export-identity.js'

/**
 * Takes the lock of an output file that is seen by machines with states of their own, too: a hidden file beside
 * NAME.part. Throws `locked` while another export writes there. Undefined where none can be made.
 */
export function lockBeside(path: string): Lock | undefined {
  const folder = dirname(path)
  const name = join(folder, `.${basename(path)}.part.lock`)
  const lock = existsSync(folder) ? takeWherePossible(name) : undefined
  if (lock === 'taken') throw outputLocked(path, describeHolder(name))
  return lock
}

function takeWherePossible(name: string): Lock | 'taken' | undefined {
  try {
    return tryLock(name, 'The lock beside an output file', {onNetworkToo: true}) ?? 'taken'
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}
