// One import in a process of its own, as `floor` (the parser alone, its records dropped) or as `plan` (read, checked,
// cut into sets); says what it cost.
import {createReadStream} from 'node:fs'
import {peakMegabytes} from './peak-memory.js'

const [way, file] = process.argv.slice(2)
const rows = way === 'floor' ? await parseAlone() : await plan()
const {user, system} = process.cpuUsage()
const megabytes = peakMegabytes()
process.stdout.write(JSON.stringify({rows, cpuSeconds: (user + system) / 1e6, megabytes}))

async function parseAlone() {
  const {parse} = await import('csv-parse')
  let records = 0
  for await (const record of createReadStream(file).pipe(parse())) records += record.length > 0 ? 1 : 0
  return records - 1
}

async function plan() {
  const {keepMemoryFlatFor} = await import('../../build/cli/read/flat-memory.js')
  keepMemoryFlatFor(file) // as the program does
  const {checkRows} = await import('../../build/runs/check/check-file.js')
  const {planRows} = await import('../../build/runs/plan/plan.js')
  const {rows: planned} = planRows('sites.create', await checkRows('sites.create', {file}), {setSize: 500})
  return planned.length
}
