import fs from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'

/** Preloaded into a run of the program: the locks of the runs lie on a disk that can only be read. */
const {openSync} = fs
fs.openSync = (path, flags, ...rest) => {
  const isWritten = typeof flags === 'string' && flags !== 'r'
  if (isWritten && /runs\/[^/]*\.lock$/.test(String(path))) throw Object.assign(new Error('EROFS'), {code: 'EROFS'})
  return openSync(path, flags, ...rest)
}
syncBuiltinESMExports()
