// One export in a process of its own; says how many lines it wrote, how long it took and the most memory it held.

import {once} from 'node:events'
import {closeSync, createWriteStream, openSync, writeSync} from 'node:fs'
import {Agent, request} from 'node:http'
import {batchValues, header, lineValues} from './export-columns.js'
import {peakMegabytes} from './peak-memory.js'

const [way, url, file] = process.argv.slice(2)
const start = process.hrtime.bigint()
const lines = await {naive, single, stringify}[way]()
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const {user, system} = process.cpuUsage()
const cpuSeconds = (user + system) / 1e6
process.stdout.write(JSON.stringify({lines, seconds, cpuSeconds, megabytes: peakMegabytes()}))

/** What a script does: fetch, objects, strings joined with commas, a stream. */
async function naive() {
  const out = createWriteStream(file)
  out.write(`${header.join(',')}\n`)
  let lines = 0
  for (let page = 1, total = 1; page <= total; page++) {
    const answer = await fetch(`${url}/reports/transactions`, {method: 'POST', body: '{}', headers: {page}})
    total = Number(answer.headers.get('total-pages'))
    let text = ''
    for (const batch of await answer.json()) {
      const prefix = batchValues(batch).map(cell).join(',')
      for (const line of batch.lineItems) text += `${prefix},${lineValues(line).map(cell).join(',')}\n`
      lines += batch.lineItems.length
    }
    if (!out.write(text)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return lines
}

/** The best that JSON.parse and one thread can do: one connection, one buffer, the cells of a batch written once. */
async function single() {
  const out = openSync(file, 'w')
  const bytes = Buffer.allocUnsafeSlow(1 << 26)
  let at = bytes.write(`${header.join(',')}\n`)
  let lines = 0
  for await (const body of readBodies()) {
    for (const batch of JSON.parse(body.toString())) {
      const from = at
      for (const value of batchValues(batch)) put(value)
      const length = at - from
      for (let line = 0; line < batch.lineItems.length; line++) {
        if (line > 0) at += bytes.copyWithin(at, from, from + length) && length
        for (const value of lineValues(batch.lineItems[line])) put(value)
        bytes[at - 1] = 0x0a
      }
      lines += batch.lineItems.length
    }
    writeSync(out, bytes, 0, at)
    at = 0
  }
  closeSync(out)
  return lines

  function put(value) {
    const text = cell(value)
    if (text.length > 30) at += bytes.write(text, at)
    else {
      for (let place = 0; place < text.length; place++) {
        const code = text.charCodeAt(place)
        if (code > 0x7f) {
          at += bytes.write(text.slice(place), at)
          break
        }
        bytes[at++] = code
      }
    }
    bytes[at++] = 0x2c
  }
}

/** What a program is usually wired of. */
async function stringify() {
  const [{default: got}, {stringify: toCsv}] = await Promise.all([import('got'), import('csv-stringify')])
  const csv = toCsv({header: true, columns: header, cast: {boolean: String}})
  csv.pipe(createWriteStream(file))
  const done = once(csv, 'end')
  let lines = 0
  for (let page = 1, total = 1; page <= total; page++) {
    const answer = await got(`${url}/reports/transactions`, {method: 'POST', body: '{}', headers: {page: String(page)}})
    total = Number(answer.headers['total-pages'])
    for (const batch of JSON.parse(answer.body)) {
      const prefix = batchValues(batch)
      for (const line of batch.lineItems) {
        if (!csv.write([...prefix, ...lineValues(line)])) await once(csv, 'drain')
      }
      lines += batch.lineItems.length
    }
  }
  csv.end()
  await done
  return lines
}

async function* readBodies() {
  const agent = new Agent({keepAlive: true})
  for (let page = 1, total = 1; page <= total; page++) {
    const asked = request(`${url}/reports/transactions`, {method: 'POST', agent, headers: {page}})
    asked.end('{}')
    const [answer] = await once(asked, 'response')
    total = Number(answer.headers['total-pages'])
    const body = Buffer.allocUnsafeSlow(Number(answer.headers['content-length']))
    let size = 0
    for await (const chunk of answer) size += chunk.copy(body, size)
    yield body
  }
  agent.destroy()
}

function cell(value) {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
