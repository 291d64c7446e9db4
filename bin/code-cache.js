// Keeps what V8 compiled of the program. Node's own compile cache holds what is compiled while a file is loaded; about a
// fifth of a start is compiling functions when they are called, and these are kept here, once they were.
const fs = require('node:fs')
const Module = require('node:module')
const {basename, dirname, join} = require('node:path')
const {cachedDataVersionTag} = require('node:v8')
const {Script} = require('node:vm')

/** A run that lasts longer may have let go of what only its start needed. */
const longestSeconds = 10
const keptMilliseconds = 30 * 86_400_000
const newline = 10

/**
 * From now on modules of the folder `modules` are loaded from what is kept in the folder `cache`, which is of the user
 * alone. `mark` tells one build from another. Returns what keeps, when a run of this `kind` is over, what is not kept yet.
 */
module.exports = ({cache, modules, mark, kind}) => {
  const tag = cachedDataVersionTag() // what other versions and options of V8 compiled must not be tried
  const folder = join(cache, `program-${mark}-${process.version}-${process.arch}-${tag.toString(16)}`)
  const loaded = []
  const load = Module._extensions['.js']
  Module._extensions['.cjs'] = (module, filename) => {
    if (dirname(filename) !== modules) return load(module, filename)
    const one = open(filename, join(folder, basename(filename)))
    loaded.push(one)
    const {exports} = module
    const compiled = one.script.runInThisContext()
    compiled.call(exports, exports, Module.createRequire(filename), module, filename, modules)
  }
  return (code) => {
    const hasLasted = process.uptime() > longestSeconds
    if (!hasLasted && cachedDataVersionTag() === tag) keep(loaded, folder, `${kind} ${code} ${loaded.length}`)
  }
}

/** A module, from what is kept of it where that is whole and of these very bytes. */
function open(filename, path) {
  const {size, mtimeMs} = fs.statSync(filename)
  const {data, kinds = []} = read(path, {size, mtimeMs})
  const text = `(function (exports, require, module, __filename, __dirname) {\n${fs.readFileSync(filename, 'utf8')}\n})`
  const script = new Script(text, {filename, lineOffset: -1, cachedData: data})
  return {script, path, size, mtimeMs, kinds: script.cachedDataRejected === false ? kinds : []}
}

/** A line of JSON says of what it is, how long it is, and for which kinds of runs it was kept. */
function read(path, {size, mtimeMs}) {
  try {
    const bytes = fs.readFileSync(path)
    const end = bytes.indexOf(newline)
    const known = JSON.parse(bytes.toString('utf8', 0, end))
    const data = bytes.subarray(end + 1)
    const isRight = known.size === size && known.mtimeMs === mtimeMs && known.length === data.length
    return isRight ? {data, kinds: known.kinds} : {}
  } catch {
    return {}
  }
}

/** What cannot be kept costs the next start a moment, and this run nothing. */
function keep(loaded, folder, kind) {
  const lacking = loaded.filter(({kinds}) => !kinds.includes(kind))
  if (lacking.length === 0) return
  try {
    if (!fs.existsSync(folder)) begin(folder)
    for (const one of lacking) write(one, [...one.kinds, kind])
  } catch {}
}

/** The first of a build and a Node: what nothing was added to for long is of one that is gone. */
function begin(folder) {
  fs.mkdirSync(folder, {mode: 0o700})
  const others = fs.readdirSync(dirname(folder)).filter((name) => name.startsWith('program-'))
  for (const other of others.map((name) => join(dirname(folder), name))) {
    if (Date.now() - fs.statSync(other).mtimeMs > keptMilliseconds) fs.rmSync(other, {recursive: true, force: true})
  }
}

/** V8 believes what it is given: a file has its name only once all of it is on the disk. */
function write({script, path, size, mtimeMs}, kinds) {
  const data = script.createCachedData()
  const head = JSON.stringify({size, mtimeMs, length: data.length, kinds})
  const part = `${path}.${process.pid}.part`
  try {
    const file = fs.openSync(part, 'wx', 0o600)
    try {
      fs.writeFileSync(file, Buffer.concat([Buffer.from(`${head}\n`), data]))
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
    fs.renameSync(part, path)
  } catch (error) {
    fs.rmSync(part, {force: true})
    throw error
  }
}
