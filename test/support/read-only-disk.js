import fs from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'

/** Preloaded into a run of the program: the locks of the runs lie on a disk that can only be read. */
const {accessSync, constants, openSync} = fs
const isLock = (path) => /runs\/[^/]*\.lock$/.test(String(path))
const refuse = () => {
  throw Object.assign(new Error('EROFS'), {code: 'EROFS'})
}
fs.openSync = (path, flags, ...rest) => {
  const isWritten = typeof flags === 'string' && flags !== 'r'
  return isWritten && isLock(path) ? refuse() : openSync(path, flags, ...rest)
}
fs.accessSync = (path, mode, ...rest) =>
  mode === constants.W_OK && isLock(path) ? refuse() : accessSync(path, mode, ...rest)
syncBuiltinESMExports()
