// Hands out pages of machines, 2,000 each, made before the first is asked for; its first line says where it listens.
import {createServer} from 'node:http'

const machinesPerPage = 2_000
/** Beyond them the same ones come again with ids of their own. */
const pagesMade = 50
const total = Number(process.argv[2] ?? 500)
const json = {'content-type': 'application/json; charset=utf-8'}
const token = JSON.stringify({
  accessToken: 'bench',
  userName: 'bench',
  issued: '1/1/2026 1:00:00 AM',
  expires: '1/1/2096 1:00:00 AM',
})
const models = ['CD-9', 'CB-3, wide', 'HD-2']
const names = ['Lobby', 'Kantine, 2. OG', 'Café Süd', 'Cold drinks', 'Snacks', 'Bar "Nuts"', 'Water']
/** How a machine begins; the first three of its ten digits say the round. */
const idStart = '{"id":'
const digitsOfRound = 3
const firstId = 1_000_000_000
const first = Date.UTC(2026, 0, 2)

const made = Array.from({length: Math.min(total, pagesMade)}, (_, page) => toPage(page))

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url.endsWith('/authenticate')) return response.end(token)
    const page = Number(request.headers.page ?? 1)
    const {body, places} = made[(page - 1) % made.length]
    const round = Math.floor((page - 1) / made.length)
    const sent = round === 0 ? body : withIds(body, places, round)
    response.writeHead(200, {
      ...json,
      'content-length': sent.length,
      page,
      size: machinesPerPage,
      'total-pages': total,
    })
    response.end(sent)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))

function toPage(page) {
  const machines = Array.from({length: machinesPerPage}, (_, place) => toMachine(page * machinesPerPage + place))
  const body = Buffer.from(JSON.stringify(machines))
  const places = []
  for (let at = body.indexOf(idStart); at >= 0; at = body.indexOf(idStart, at + 1)) places.push(at + idStart.length)
  return {body, places}
}

function withIds(body, places, round) {
  const copy = Buffer.from(body)
  const digits = String(100 + round)
  for (const at of places) copy.write(digits, at, digitsOfRound, 'latin1')
  return copy
}

function toMachine(number) {
  const at = first + number * 1_200
  return {
    id: firstId + number,
    assetId: number % 3 === 0 ? null : 70_000 + number,
    organizationId: 101,
    siteId: 1_000 + (number % 4_000),
    typeId: 1 + (number % 4),
    machineMasterId: 9_000 + (number % 30),
    controllerFirmware: {current: `4.${number % 9}.1`, pendingUpdate: number % 50 === 0 ? '5.0.0' : null},
    pcFirmware: {current: null, pendingUpdate: null},
    forceUpdate: false,
    prose: `M-00${number}`,
    name: names[number % names.length],
    modelNumber: models[number % models.length],
    taxPercentage: 10.1,
    commissionPercentage: 2.5,
    hasPlanogramChange: number % 20 === 0,
    callInCode: String(number % 10_000).padStart(6, '0'),
    enableAccountSales: true,
    enableCashSales: number % 4 !== 0,
    enableCreditSales: true,
    mode: number % 30 === 0 ? 'Maintenance' : 'Normal',
    isVisible: true,
    createdAt: toText(at - 86_400_000_000),
    provisionedAt: number % 10 === 0 ? null : toText(at - 86_000_000_000),
    lastHeartBeat: {server: toText(at), local: toText(at + 7_200_000)},
    lastCashSale: number % 4 === 0 ? null : {server: toText(at - 60_000), local: toText(at + 7_140_000)},
    lastCreditSale: {server: toText(at - 90_000), local: toText(at + 7_110_000)},
    lastAccountSale: {server: null, local: null},
  }
}

function toText(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, -1)
}
