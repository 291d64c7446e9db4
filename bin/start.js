const {existsSync, lstatSync, mkdirSync, statSync} = require('node:fs')
const {enableCompileCache} = require('node:module')
const {dirname, isAbsolute, join, resolve} = require('node:path')

const root = join(__dirname, '..')
const program = join(root, 'dist', 'program.cjs')
const modules = join(root, 'dist', 'chunks')
const [writable, sticky] = [0o022, 0o1000]
const leave = (code) => process.exit(code)

/** Loads the built program and ends with its exit code. */
module.exports = async () => {
  try {
    const cache = cacheFolder()
    if (cache) enableCompileCache(cache)
    const run = require(program)
    let keep = () => undefined
    const beforeWork = (kind, mark) => {
      if (cache) keep = require('./code-cache.js')({cache, modules, mark, kind})
    }
    const code = await run(process.argv.slice(2), root, leave, beforeWork)
    keep(code)
    leave(code)
  } catch (error) {
    const {words, code} = explain(error)
    process.stderr.write(`${words}\n`)
    leave(code)
  }
}

/** What kept the program from being loaded. */
function explain({code, stack}) {
  if (code === 'EMFILE' || code === 'ENFILE') {
    return {
      words: 'error: The system lets this program open no more files.\n→ Let it open more: ulimit -n 1024',
      code: 12,
    }
  }
  return {words: existsSync(program) ? stack : 'vendorctl is not built yet; run: npm run build', code: 1}
}

/** Of the user alone: what is compiled there is run, so no folder will do in which others may write. */
function cacheFolder() {
  const {NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME} = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return undefined
  if (chosen) return isSafe(dirname(resolve(chosen))) && isOwn(resolve(chosen)) ? resolve(chosen) : undefined
  const own = XDG_CACHE_HOME || (process.platform === 'win32' ? LOCALAPPDATA : HOME && join(HOME, '.cache'))
  if (!own || !isAbsolute(own)) return undefined
  const [outer, inner] = [join(own, 'vendorctl'), join(own, 'vendorctl', 'compiled')]
  return isSafe(own) && isOwn(outer) && isOwn(inner) ? inner : undefined
}

/** Whether a folder belongs to this user and others may not write in it; it is made when it is not there. */
function isOwn(path) {
  return isFolder(path, lstatSync, ({uid, mode}) => uid === process.getuid() && (mode & writable) === 0)
}

/** Whether nobody else can replace what this user has in a folder, which may be a link: also where it is sticky. */
function isSafe(path) {
  const isOurs = (uid) => uid === process.getuid() || uid === 0
  return isFolder(path, statSync, ({uid, mode}) => isOurs(uid) && ((mode & writable) === 0 || (mode & sticky) !== 0))
}

function isFolder(path, look, isRight) {
  try {
    makeFolder(path)
    const stat = look(path)
    return stat.isDirectory() && (!process.getuid || isRight(stat)) // Windows keeps the folders of users apart
  } catch {
    return false
  }
}

/** One at a time: where none can be made, such as below /proc, Node tries for ever to make all at once. */
function makeFolder(path) {
  try {
    mkdirSync(path, {mode: 0o700})
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
