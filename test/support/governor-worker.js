// One process that asks the service through the ledger of its key. Its words: the settings as JSON. It prints a line when
// it has logged in, begins when its standard input ends, and prints at the end what it sent.
import {createClient} from '../../build/client/client.js'
import {systemClock} from '../../build/core/clock.js'
import {openLedgerInTurn} from '../../build/quota/ledger-file.js'

const {
  url,
  apiKey,
  username,
  password,
  folder,
  requests,
  seconds,
  parallel = 2,
  rate,
  burst,
} = JSON.parse(process.argv[2])
const {ledger} = await openLedgerInTurn(
  {folder, baseUrl: url, keyFingerprint: 'worker'},
  {command: 'worker', pid: process.pid, startedAt: systemClock.now()},
  systemClock,
)
let token
const notices = []
const client = createClient({
  settings: {baseUrl: url, stage: 'v2.1', readMethod: 'GET', tokenHeader: 'access-token', rate, burst, routes: {}},
  credentials: async () => ({apiKey, username, password}),
  tokens: {
    read: async () => token,
    write: async (next) => {
      token = next
    },
  },
  clock: systemClock,
  random: Math.random,
  environment: {},
  onNotice: (text) => notices.push(text),
  onLedgerLost: (text) => notices.push(text),
  ledger,
})

await client.login()
process.stdout.write('ready\n')
for await (const _ of process.stdin);
const end = systemClock.monotonic() + (seconds ?? 3_600) * 1_000
let left = requests ?? Number.POSITIVE_INFINITY
const started = systemClock.monotonic()
await Promise.all(Array.from({length: parallel}, ask))
const milliseconds = systemClock.monotonic() - started
const {requestsUsed: sent} = client
const {is} = client.quota()
client.close()
process.stdout.write(`${JSON.stringify({sent, is, milliseconds, notices})}\n`)

async function ask() {
  while (left > 0 && systemClock.monotonic() < end) {
    left -= 1
    await client.call({method: 'GET', path: '/organizations'}).catch((error) => notices.push(error.message))
  }
}
