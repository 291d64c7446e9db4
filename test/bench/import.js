import {spawnSync} from 'node:child_process'
import {closeSync, openSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const program = fileURLToPath(new URL('import-run.js', import.meta.url))
const columns = [
  'accountId',
  'orgId',
  'name',
  'isActive',
  'maxChargePrice',
  'maximumMeterSalesJumpAllowed',
  'commissionTerms',
  'timeZone',
  'billingAddress',
  'externalAccountTerminalId',
  'contact.firstName',
  'contact.emailAddress',
]

/** Prints what it costs to read and check sites files, beside the parser alone on the same file, and as workbooks. */
export async function benchImport(folder, runs) {
  const small = writeSites(join(folder, 'sites-10000.csv'), 10_000)
  const large = writeSites(join(folder, 'sites-100000.csv'), 100_000)
  process.stdout.write(`\nImport of sites, median CPU time of ${runs} processes, ratio to the parser alone\n`)
  const plannedSmall = medianOf('plan', small, runs)
  print('10,000 rows, planned', plannedSmall, undefined, 'at most 1.0 s')
  const floor = medianOf('floor', large, runs)
  print('100,000 rows, parser alone', floor, floor, 'records dropped')
  print('100,000 rows, checked', medianOf('check', large, runs), floor, 'at most 2.20 x')
  const plannedLarge = medianOf('plan', large, runs)
  print('100,000 rows, planned', plannedLarge, floor, 'at most 2.20 x and 250 MB')
  process.stdout.write(`\nThe same as workbooks, ratio to the CSV planned\n`)
  const smallBook = await writeBook(join(folder, 'sites-10000.xlsx'), 10_000)
  const largeBook = await writeBook(join(folder, 'sites-100000.xlsx'), 100_000)
  print('10,000 rows x 12, planned', medianOf('plan', smallBook, runs), plannedSmall, 'at most 2.50 x')
  print('1,200,000 cells, planned', medianOf('plan', largeBook, runs), plannedLarge, 'at most 250 MB')
}

function writeSites(path, count) {
  const file = openSync(path, 'w')
  writeSync(file, `${columns.join(',')}\n`)
  for (let row = 0; row < count; row++) writeSync(file, `${toSite(row).join(',')}\n`)
  closeSync(file)
  return {path, count}
}

/** The same rows as a list command writes them. */
async function writeBook(path, count) {
  const {writeXlsx} = await import('../../build/formats/write/xlsx/write-xlsx.js')
  const {toColumn} = await import('../../build/formats/columns.js')
  const file = openSync(path, 'w')
  const kinds = columns.map((name) => toColumn(name.split('.'), 'text'))
  const target = {write: async (bytes) => void writeSync(file, bytes)}
  const {createFileWriter} = await import('../../build/formats/write/file-writer.js')
  const {printAnswer} = await import('../../build/formats/scan/page-renderer.js')
  const writer = createFileWriter({columns: kinds}, (settled) => writeXlsx(target, settled, {name: 'sites'}))
  const put = (records) => writer.put(writer.scan(printAnswer(records)), 'all')
  for (let row = 0; row < count; row++) await put([toRecord(toSite(row))])
  await writer.end()
  closeSync(file)
  return {path, count}
}

function toRecord(cells) {
  const values = cells.map((cell) => (typeof cell === 'string' ? cell.replaceAll('"', '') : cell))
  const [firstName, emailAddress] = values.slice(-2)
  const entries = columns.slice(0, -2).map((name, place) => [name, values[place]])
  return {...Object.fromEntries(entries), contact: {firstName, emailAddress}}
}

function toSite(row) {
  const owner = [200 + (row % 12), 100 + (row % 5), `Site number ${row}`, row % 7 > 0, 100 + (row % 900), row % 1_000]
  const address = [`Net${[10, 15, 30][row % 3]}`, 'Pacific Standard Time', `"${row} Example Street, Portsmouth"`]
  return [...owner, ...address, `T-${100_000 + row}`, 'Ada', `ada${row}@example.com`]
}

function medianOf(way, {path, count}, runs) {
  const costs = Array.from({length: runs}, () => {
    const {status, stdout, stderr} = spawnSync(process.execPath, [program, way, path], {encoding: 'utf8'})
    if (status !== 0) throw new Error(`the import ended with ${status}: ${stderr}`)
    const cost = JSON.parse(stdout)
    if (cost.rows !== count) throw new Error(`${cost.rows} of ${count} rows were read`)
    return cost
  })
  return costs.sort((one, other) => one.cpuSeconds - other.cpuSeconds)[Math.floor(runs / 2)]
}

function print(name, {cpuSeconds, megabytes}, floor, words) {
  const ratio = floor ? `${(cpuSeconds / floor.cpuSeconds).toFixed(2)} x` : ''
  const cost = `${cpuSeconds.toFixed(2)} s`.padStart(11)
  process.stdout.write(`${name.padEnd(34)}${cost}${ratio.padStart(10)}  ${megabytes.toFixed(0)} MB, ${words}\n`)
}
