import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {type Lock, tryLock} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import {identityDigest} from '../export/export-identity.js'
import type {Named} from './named-marks.js'

/** The path of the lock that a run of a name holds. */
export function nameLock(folder: string, {name, scope}: Named): string {
  return join(folder, `since-${identityDigest({name, scope}).slice(0, 32)}.lock`)
}

/** Takes the lock of a name. Throws `locked` while another run has it. */
export function lockName(folder: string, {name, scope}: Named): Lock {
  const path = nameLock(folder, {name, scope})
  const lock = tryLock(path, `The lock of --since-last ${name}`)
  if (lock) return lock
  throw new CliFailure(`Another run is reading --since-last ${name}${describeHolder(path)}.`, {
    code: 'NAME_LOCKED',
    retry: 'safe',
    hints: ['Wait until it has ended, then run the same command again.'],
  })
}
