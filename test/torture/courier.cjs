/** A delivery as the control file says: copies, fails, fails once, hangs, or succeeds without having copied. */
const {appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync} = require('node:fs')

const [control, from, to, checked] = process.argv.slice(2)
const how = readFileSync(control, 'utf8')
const isFirst = !existsSync(`${to}.tried`)
if (how === 'fail once') writeFileSync(`${to}.tried`, '')
if (how === 'hang') setInterval(() => {}, 1_000)
else if (how === 'fail' || (how === 'fail once' && isFirst)) {
  console.error('no route to the bucket')
  process.exitCode = 1
} else if (how === 'lie') {
  if (checked)
    process.exitCode = 1 // a recipe that looks whether the copy is there
  else appendFileSync(`${control}.lies`, `${to}\n`)
} else copyFileSync(from, to)
