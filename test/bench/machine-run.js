// What a script does with a list: pages as objects, strings joined with commas, a stream; says what it took.
import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {peakMegabytes} from './peak-memory.js'

const [url, file] = process.argv.slice(2)
const plain = 'id,assetId,organizationId,siteId,typeId,machineMasterId'.split(',')
const firmware = ['current', 'pendingUpdate']
const flags = 'forceUpdate,prose,name,modelNumber,taxPercentage,commissionPercentage,hasPlanogramChange'.split(',')
const sales = 'callInCode,enableAccountSales,enableCashSales,enableCreditSales,mode,isVisible,createdAt,provisionedAt'
const times = ['lastHeartBeat', 'lastCashSale', 'lastCreditSale', 'lastAccountSale']
const paths = [
  ...plain.map((name) => [name]),
  ...['controllerFirmware', 'pcFirmware'].flatMap((name) => firmware.map((part) => [name, part])),
  ...flags.map((name) => [name]),
  ...sales.split(',').map((name) => [name]),
  ...times.flatMap((name) => ['server', 'local'].map((part) => [name, part])),
]

const out = createWriteStream(file)
out.write(`${paths.map((path) => path.join('.')).join(',')}\n`)
let rows = 0
for (let page = 1, total = 1; page <= total; page++) {
  const answer = await fetch(`${url}/machines`, {method: 'POST', body: '{}', headers: {page}})
  total = Number(answer.headers.get('total-pages'))
  let text = ''
  for (const machine of await answer.json()) {
    text += `${paths.map(([name, part]) => cell(part ? machine[name]?.[part] : machine[name])).join(',')}\n`
    rows++
  }
  if (!out.write(text)) await once(out, 'drain')
}
out.end()
await once(out, 'finish')
const {user, system} = process.cpuUsage()
process.stdout.write(JSON.stringify({rows, cpuSeconds: (user + system) / 1e6, megabytes: peakMegabytes()}))

function cell(value) {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
