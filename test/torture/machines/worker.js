// One process of a machine: asks the service until it is told to end, through the ledger that the program
// opens in the same environment. Its words: the settings as JSON. It prints a line when it begins, and at the end what it
// saw; that it may end, the end of its standard input says.
import {openClient} from '../../../build/cli/client/open-client.js'
import {systemClock} from '../../../build/core/clock.js'

const {parallel} = JSON.parse(process.argv[2])
const told = []
const note = (text) => told.push(text)
const messages = {note, notice: note}
const client = await begin()

const ending = new AbortController()
process.stdin.on('end', () => ending.abort()).resume()
process.stdout.write('ready\n')
const seen = {answered: 0, longest: 0, failures: {}}
await Promise.all(Array.from({length: parallel}, ask))
await client.close()
process.stdout.write(`${JSON.stringify({...seen, told})}\n`)
process.exit()

async function ask() {
  while (!ending.signal.aborted) {
    const started = Date.now()
    try {
      await client.call({method: 'GET', path: '/organizations'})
      seen.answered += 1
    } catch (error) {
      const name = error.code ?? error.message
      seen.failures[name] = (seen.failures[name] ?? 0) + 1
      await systemClock.sleep(250, ending.signal).catch(() => undefined)
    }
    seen.longest = Math.max(seen.longest, Date.now() - started)
  }
}

/** A machine without a share does not begin while its store is away. */
async function begin() {
  const context = {
    ...{environment: process.env, messages, clock: systemClock, commandName: 'worker', caution: note},
    atEnd: () => undefined,
  }
  for (;;) {
    try {
      return (await openClient({}, context)).client
    } catch (error) {
      if (error.code !== 'BUDGET_UNREACHABLE') throw error
      note(error.message)
      await systemClock.sleep(250)
    }
  }
}
