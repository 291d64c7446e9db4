import {closeSync, constants, fstatSync, open, openSync, writeSync} from 'node:fs'
import * as system from 'node:fs/promises'
import {promisify} from 'node:util'
import type {HttpLogEntry} from '../../client/types.js'
import {isOwn, notOwnFile} from '../../core/owner-and-mode.js'
import {redact} from '../../core/redact.js'
import {toFileFailure} from '../../formats/files/file-failure.js'
import {isStreamLike, refuseSamePaths} from '../../formats/files/file-steps.js'

/** Waits, unlike `openSync`, in a way that a signal can end: a pipe opens only when somebody reads it. */
const openStream = promisify(open)

const privateFileMode = 0o600
const atTheEnd =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_APPEND |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

/**
 * Opens the file of `--log-http` for appending; devices and pipes are written to directly. Throws before the first
 * request: `storage` when it cannot be written, `unsafe` when it is a link or belongs to somebody else, `usage` when it
 * is the output.
 */
export async function openHttpLog(path: string, output: string | undefined): Promise<(entry: HttpLogEntry) => void> {
  await refuseSamePaths({'--output-file': output, '--log-http': path})
  try {
    const descriptor = (await isStreamLike(system, path)) ? await openStream(path, 'a') : openOwn(path)
    return (entry) => {
      try {
        writeSync(descriptor, `${redact(JSON.stringify(entry))}\n`)
      } catch (error) {
        throw toFileFailure(error, path)
      }
    }
  } catch (error) {
    throw toFileFailure(error, path)
  }
}

/** Opens the log, which must be a file of this user: whoever planted another could read it. */
function openOwn(path: string): number {
  const descriptor = openSync(path, atTheEnd, privateFileMode)
  const found = fstatSync(descriptor)
  if (found.isFile() && isOwn(found)) return descriptor
  closeSync(descriptor)
  throw notOwnFile(path)
}
