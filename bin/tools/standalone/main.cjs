// Starts the program in one executable. Its modules are assets, each loaded when it is needed, from the code compiled at
// build time where that was made by this very Node.
const {posix} = require('node:path')
const {getAsset, getRawAsset} = require('node:sea')
const {compileFunction} = require('node:vm')

const loaded = new Map()
const leave = (code) => process.exit(code)

// The full path, because scripts for shells contain where the program is; as typed, it may be a name on the path.
process.argv[1] = process.execPath

load('program.cjs')(process.argv.slice(2), '', leave).then(leave, (error) => {
  process.stderr.write(`${error.stack}\n`)
  leave(1)
})

function load(filename) {
  const known = loaded.get(filename)
  if (known) return known.exports
  const module = {exports: {}}
  loaded.set(filename, module)
  const folder = posix.dirname(filename)
  const near = (id) => (id.startsWith('.') ? load(posix.join(folder, id)) : require(id))
  compile(filename)(module.exports, near, module, filename, folder)
  return module.exports
}

function compile(filename) {
  const cachedData = Buffer.from(getRawAsset(`${filename}.compiled`))
  const words = ['exports', 'require', 'module', '__filename', '__dirname']
  return compileFunction(getAsset(filename, 'utf8'), words, {filename, ...(cachedData.length > 0 && {cachedData})})
}
