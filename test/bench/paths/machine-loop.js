// A naive loop over all machines: fetch, objects, strings joined with commas. Words: the address and a file.
import {once} from 'node:events'
import {createWriteStream} from 'node:fs'

const [url, file] = process.argv.slice(2)
const out = createWriteStream(file)
for (let page = 1, total = 1; page <= total; page++) {
  const answer = await fetch(`${url}/machines`, {headers: {page, size: 2_000}})
  total = Number(answer.headers.get('total-pages'))
  let text = ''
  for (const machine of await answer.json()) {
    const flat = toCells(machine)
    if (page === 1 && text === '') text = `${flat.map(([name]) => name).join(',')}\n`
    text += `${flat.map(([, value]) => toCell(value)).join(',')}\n`
  }
  if (!out.write(text)) await once(out, 'drain')
}
out.end()

function toCells(record, before = '') {
  return Object.entries(record).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' ? toCells(value, `${before}${name}.`) : [[before + name, value]],
  )
}

function toCell(value) {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
