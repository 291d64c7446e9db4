// Hands out pages of machines. Words: how many machines, milliseconds before an answer, and `limited` for the rate of
// the service, 20 requests a second and 100 at once; `/counts` says how many were asked and refused.
import {createServer} from 'node:http'

const [count, latency] = process.argv.slice(2, 4).map(Number)
const isLimited = process.argv[4] === 'limited'
const largest = 2_000
const token = {accessToken: 'bench', userName: 'bench', issued: '1/1/2026 1:00:00 AM', expires: '1/1/2096 1:00:00 AM'}
const json = {'content-type': 'application/json'}
const counts = {asked: 0, refused: 0}
const made = new Map()
let left = 100
let filledAt = performance.now()

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url.endsWith('/counts')) return response.end(JSON.stringify(counts))
    counts.asked++
    if (isLimited && !takePermit()) return refuse(response)
    if (request.url.endsWith('/authenticate')) return response.end(JSON.stringify(token))
    const {page = '1', size = String(largest)} = request.headers
    const body = toPage(Number(page), Number(size))
    const paging = {'content-length': body.length, 'total-pages': Math.ceil(count / Number(size)), page, size}
    setTimeout(() => response.writeHead(200, {...json, ...paging}).end(body), latency)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))

function takePermit() {
  const now = performance.now()
  left = Math.min(100, left + ((now - filledAt) * 20) / 1000)
  filledAt = now
  if (left < 1) return false
  left -= 1
  return true
}

function refuse(response) {
  counts.refused++
  response.writeHead(429, json).end('{"message": "Too Many Requests"}')
}

/** The machines of the first page of this size, with ids of their own. */
function toPage(page, size) {
  const first = (page - 1) * size
  const length = Math.min(size, count - first)
  if (!made.has(length)) made.set(length, JSON.stringify(Array.from({length}, (_, place) => toMachine(place))))
  const digits = String(page).padStart(6, '0')
  return Buffer.from(made.get(length).replaceAll('{"id":1000000', `{"id":1${digits}`))
}

function toMachine(number) {
  const seen = {server: '2026-01-02T17:37:53.277', local: '2026-01-02T09:37:53.277'}
  return {
    id: Number(`1000000${String(number).padStart(4, '0')}`),
    assetId: 9_007_199_254 + number,
    organizationId: 101 + (number % 5),
    siteId: 1_001 + (number % 40),
    typeId: 4,
    machineMasterId: 26,
    controllerFirmware: {current: '4.4.28', pendingUpdate: null},
    pcFirmware: {current: '4.4.28', pendingUpdate: null},
    forceUpdate: false,
    prose: `PRS${100_000 + number}`,
    name: `Cold drink ${number}`,
    modelNumber: ['CD-9', 'CB-3, wide', 'HD-2'][number % 3],
    taxPercentage: 10.1,
    commissionPercentage: 5.25,
    hasPlanogramChange: number % 7 === 0,
    callInCode: String(number).padStart(6, '0'),
    enableAccountSales: false,
    enableCashSales: true,
    enableCreditSales: true,
    mode: number % 9 === 0 ? 'Test' : 'Live',
    isVisible: true,
    createdAt: '2025-02-08T16:12:40.476',
    provisionedAt: '2025-02-09T16:12:40.476',
    lastHeartBeat: seen,
    lastCashSale: seen,
    lastCreditSale: seen,
    lastAccountSale: number % 4 === 0 ? null : seen,
  }
}
