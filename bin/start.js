const {existsSync, lstatSync, mkdirSync, statSync} = require('node:fs')
const {enableCompileCache} = require('node:module')
const {isAbsolute, join, resolve} = require('node:path')

const root = join(__dirname, '..')
const program = join(root, 'dist', 'program.cjs')
const modules = join(root, 'dist', 'chunks')
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
    process.stderr.write(existsSync(program) ? `${error.stack}\n` : 'vendorctl is not built yet; run: npm run build\n')
    leave(1)
  }
}

/** Of the user alone: what is compiled there is run, so no folder will do in which others may write. */
function cacheFolder() {
  const {NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME} = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return undefined
  if (chosen) return isOwn(resolve(chosen), 0o022) ? resolve(chosen) : undefined
  const own = XDG_CACHE_HOME || (process.platform === 'win32' ? LOCALAPPDATA : HOME && join(HOME, '.cache'))
  if (!own || !isAbsolute(own)) return undefined
  const [outer, inner] = [join(own, 'vendorctl'), join(own, 'vendorctl', 'compiled')]
  return isOwn(own, 0o002, statSync) && isOwn(outer, 0o022) && isOwn(inner, 0o022) ? inner : undefined
}

/**
 * Whether a folder belongs to this user and others may not write in it; it is made when it is not there. Only the
 * folder around ours may lie elsewhere, as a link says.
 */
function isOwn(path, othersWrite, look = lstatSync) {
  try {
    makeFolder(path)
    if (!process.getuid) return true // Windows keeps the folders of users apart
    const stat = look(path)
    return stat.isDirectory() && stat.uid === process.getuid() && (stat.mode & othersWrite) === 0
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
