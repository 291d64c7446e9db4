// One import in a process of its own, as `floor` (the parser alone, its records dropped), as `check` or as `plan` (read,
// checked, kept to be sent); says what it cost.
import {createReadStream} from 'node:fs'
import {peakMegabytes} from './peak-memory.js'

const [way, file] = process.argv.slice(2)
const rows = await {floor: parseAlone, check, plan}[way]()
const {user, system} = process.cpuUsage()
const megabytes = peakMegabytes()
process.stdout.write(JSON.stringify({rows, cpuSeconds: (user + system) / 1e6, megabytes}))

async function parseAlone() {
  const {parse} = await import('csv-parse')
  let records = 0
  for await (const record of createReadStream(file).pipe(parse())) records += record.length > 0 ? 1 : 0
  return records - 1
}

async function check() {
  await keepMemoryFlat()
  const {checkFile} = await import('../../build/runs/check/check-file.js')
  const checked = await checkFile('sites.create', {file})
  return checked.rows
}

async function plan() {
  await keepMemoryFlat()
  const {checkRows} = await import('../../build/runs/check/check-file.js')
  const {planRows} = await import('../../build/runs/plan/plan-rows.js')
  const {rows: planned} = planRows('sites.create', await checkRows('sites.create', {file}), {sending: {setSize: 500}})
  return planned.length
}

/** As the program does. */
async function keepMemoryFlat() {
  const {keepMemoryFlatFor} = await import('../../build/core/flat-memory.js')
  keepMemoryFlatFor(file)
}
