// The naive floor of an export: one page after another, JSON.parse, lines joined by hand, nothing checked or kept.
import {createWriteStream} from 'node:fs'
import {request} from 'node:http'

const {BENCH_URL: url, BENCH_KEY: key, BENCH_TOKEN: token, BENCH_FILE: file} = process.env
const day = 86_400_000
const out = createWriteStream(file)
const end = Date.now()
let lines = 0

for (let from = end - 124 * day; from < end; from += 31 * day) {
  const filter = {StartDate: text(from), EndDate: text(Math.min(from + 31 * day, end))}
  let total = 1
  for (let page = 1; page <= total; page++) {
    const {headers, body} = await ask(JSON.stringify({requestFilter: filter, routeFilter: {}, body: []}), page)
    total = Number(headers['total-pages'])
    for (const {lineItems, paymentInformation, ...batch} of JSON.parse(body)) {
      const prefix = [...Object.values(batch), paymentInformation?.type].map(cell).join(',')
      for (const line of lineItems) out.write(`${prefix},${Object.values(line).map(cell).join(',')}\n`)
      lines += lineItems.length
    }
  }
}
out.end(() => process.stdout.write(`${lines}\n`))

function ask(body, page) {
  const headers = {'x-api-key': key, 'access-token': token, 'content-type': 'application/json', page, size: 2000}
  return new Promise((resolve, reject) => {
    const options = {method: 'GET', headers: {...headers, 'content-length': Buffer.byteLength(body)}}
    const asked = request(`${url}/v2.1/reports/transactions`, options, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve({headers: answer.headers, body: Buffer.concat(chunks).toString()}))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function cell(value) {
  const shown = value === null || value === undefined ? '' : String(value)
  return /[",\n\r]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

function text(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, -1)
}
