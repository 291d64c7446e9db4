/**
 * Loaded into every process of a night: moves the clock to that night, shortens long waits, and notes how each process
 * of the program began and ended. One that was killed has no end.
 */
const {appendFileSync} = require('node:fs')
const timers = require('node:timers/promises')

const {NIGHT_OFFSET = '0', NIGHT_LOG} = process.env
const offset = Number(NIGHT_OFFSET)
const System = Date
const now = () => System.now() + offset

globalThis.Date = class Moved extends System {
  static now = now
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }
}

const wait = timers.setTimeout
/** An hour, after which a delivery is given up, is as long as it needs to be seen; other waits are a tenth. */
const shorten = (milliseconds) =>
  milliseconds >= 3_600_000 ? 1_500 : milliseconds >= 500 ? milliseconds / 10 : milliseconds
timers.setTimeout = (milliseconds, ...rest) => wait(shorten(milliseconds), ...rest)
const startTimer = globalThis.setTimeout
globalThis.setTimeout = (work, milliseconds = 0, ...rest) => startTimer(work, shorten(milliseconds), ...rest)

const [, program = '', ...words] = process.argv
if (NIGHT_LOG && /run\.js$|start\.js$|program\.cjs$|courier\.cjs$/.test(program)) {
  const note = (more) => appendFileSync(NIGHT_LOG, `${JSON.stringify({pid: process.pid, ...more})}\n`)
  note({night: process.env.NIGHT_NUMBER, words: [program.split('/').at(-1), ...words]})
  process.on('exit', (code) => note({code}))
}
