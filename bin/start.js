const {existsSync, lstatSync, mkdirSync, statSync} = require('node:fs')
const {enableCompileCache} = require('node:module')
const {isAbsolute, join} = require('node:path')

const root = join(__dirname, '..')
const program = join(root, 'dist', 'program.cjs')
const [writable, sticky] = [0o022, 0o1000]
const stops = {129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM'}

/** Ends the process. Where the system does not answer a call, as for a pipe that nobody writes to, Node could not end. */
function leave(code, tries = 100) {
  const signal = process.platform === 'win32' ? undefined : stops[code]
  const isWaiting = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
  if (!signal || !isWaiting) process.exit(code)
  if (tries > 0) return setTimeout(leave, 10, code, tries - 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Loads the built program and ends with its exit code. */
module.exports = async () => {
  try {
    const cache = cacheFolder()
    if (cache) enableCompileCache(cache)
    leave(await require(program)(process.argv.slice(2), root, leave))
  } catch (error) {
    const {words, code} = explain(error)
    process.stderr.write(`${words}\n`)
    leave(code)
  }
}

/** The message and exit code for a program that could not be loaded. */
function explain({code, stack}) {
  if (code === 'EMFILE' || code === 'ENFILE') {
    return {
      words: 'error: The system lets this program open no more files.\n→ Let it open more: ulimit -n 1024',
      code: 12,
    }
  }
  return {words: existsSync(program) ? stack : 'vendorctl is not built yet; run: npm run build', code: 1}
}

/** A folder that only the user can write in, because the code compiled there is run; undefined without one. */
function cacheFolder() {
  const {NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME} = process.env
  if (NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return undefined // Node follows both by itself
  const own = XDG_CACHE_HOME || (process.platform === 'win32' ? LOCALAPPDATA : HOME && join(HOME, '.cache'))
  if (!own || !isAbsolute(own)) return undefined
  const [outer, inner] = [join(own, 'vendorctl'), join(own, 'vendorctl', 'compiled')]
  return isSafe(own) && isOwn(outer) && isOwn(inner) ? inner : undefined
}

/** Whether a folder belongs to this user and others may not write in it; a missing one is made. */
function isOwn(path) {
  return isFolder(path, lstatSync, ({uid, mode}) => uid === process.getuid() && (mode & writable) === 0)
}

/** Whether nobody else can replace what this user has in a folder, sticky ones included; it may be a link. */
function isSafe(path) {
  const isOurs = (uid) => uid === process.getuid() || uid === 0
  return isFolder(path, statSync, ({uid, mode}) => isOurs(uid) && ((mode & writable) === 0 || (mode & sticky) !== 0))
}

function isFolder(path, look, isRight) {
  try {
    makeFolder(path)
    const stat = look(path)
    return stat.isDirectory() && (!process.getuid || isRight(stat)) // Windows keeps the folders of users separate
  } catch {
    return false
  }
}

/** One folder, never its parents: where none can be made, such as below /proc, Node would try forever. */
function makeFolder(path) {
  try {
    mkdirSync(path, {mode: 0o700})
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
