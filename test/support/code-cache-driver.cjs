// A program of one module that is loaded through the code cache. Its words: the folders of the cache and of the module,
// the kind of the run, and what it does before it ends.
const {join} = require('node:path')
const start = require('../../bin/code-cache.js')

const [cache, modules, kind, trouble] = process.argv.slice(2)
const keep = start({cache, modules, mark: 'mark', kind})
const run = require(join(modules, 'one.cjs'))
if (trouble === 'flags') require('node:v8').setFlagsFromString('--heap-growing-percent=50')
if (trouble === 'lasts') process.uptime = () => 11
run(kind).then((text) => {
  keep(0)
  process.stdout.write(text)
})
