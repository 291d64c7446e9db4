// node compile.cjs FROM TO FILE…: writes the compiled code of modules, for main.cjs in an executable of the same Node.
const {mkdirSync, readFileSync, writeFileSync} = require('node:fs')
const {dirname, join} = require('node:path')
const {compileFunction} = require('node:vm')

const [from, to, ...files] = process.argv.slice(2)
for (const filename of files) {
  const words = ['exports', 'require', 'module', '__filename', '__dirname']
  const {cachedData} = compileFunction(readFileSync(join(from, filename), 'utf8'), words, {
    filename,
    produceCachedData: true,
  })
  mkdirSync(dirname(join(to, filename)), {recursive: true})
  writeFileSync(join(to, `${filename}.compiled`), cachedData)
}
