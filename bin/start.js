const {existsSync} = require('node:fs')
const {join} = require('node:path')

const root = join(__dirname, '..')
const leave = (code) => process.exit(code)

/** Loads the built program and ends with its exit code. */
module.exports = async () => {
  try {
    const {main} = await import('../dist/cli/main.js')
    leave(await main(process.argv.slice(2), root, leave))
  } catch (error) {
    const isUnbuilt = !existsSync(join(root, 'dist', 'cli', 'main.js'))
    process.stderr.write(isUnbuilt ? 'vendorctl is not built yet; run: npm run build\n' : `${error.stack}\n`)
    leave(1)
  }
}
