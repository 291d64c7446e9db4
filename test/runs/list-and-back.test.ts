import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {openSink} from '../../src/cli/read/open-sink.js'
import {allFieldsOf, type FilterKey, type ReadId, readOperation, type WriteId} from '../../src/contract/index.js'
import {columnsOf} from '../../src/formats/columns.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../src/values/json.js'
import {useInputFiles} from '../support/input-files.js'
import {nastyAlert, nastySite} from '../support/nasty.js'
import {createMemory} from '../support/odd-records.js'
import {yesterday} from './add-records.js'
import {useSandboxRun} from './sandbox-run.js'

const files = useInputFiles()
const {sandbox, client, run} = useSandboxRun({limits: false})

const formats = [
  {name: 'csv', output: 'csv'},
  {name: 'csv for Excel', output: 'csv', dialect: 'excel'},
  {name: 'tsv', output: 'tsv'},
  {name: 'json', output: 'json'},
  {name: 'ndjson', output: 'ndjson'},
  {name: 'xlsx', output: 'xlsx'},
] as const
type Way = (typeof formats)[number]

type Listed = {read: ReadId; write: WriteId; filter: FilterKey}

/** The same records every time; LIST_AND_BACK_RUNS=300 tries others. */
const more = process.env['LIST_AND_BACK_RUNS']
const numRuns = Number(more ?? 10)
const seed = more === undefined ? 1 : Date.now()

let nextId = 20_001

/** What a list command writes of these records. */
async function writeList(read: ReadId, records: readonly JsonRecord[], way: Way): Promise<string> {
  const {resource} = readOperation(read)
  const memory = createMemory()
  const path = join(files.folder(), `list-${nextId++}.${way.output}`)
  const target = {...memory, path, commit: async () => undefined, discard: async () => undefined}
  const flags = {output: way.output, ...('dialect' in way && {'csv-dialect': way.dialect})}
  const sink = await openSink(flags, target, columnsOf(allFieldsOf(resource)), {resource})
  await sink.records(records)
  await sink.end()
  await writeFile(path, memory.bytes())
  return path
}

async function readList({read, filter}: Listed, ids: readonly JsonValue[]): Promise<JsonRecord[]> {
  const records: JsonRecord[] = []
  for await (const page of client().readPages(read, {filters: {[filter]: ids}})) records.push(...page.records)
  return records
}

/** Lists records, updates them from that file unchanged, and from a file in which one cell was edited. */
async function roundTrip(listed: Listed, way: Way, ids: readonly JsonValue[], [field, to]: [string, JsonValue]) {
  const {read, write} = listed
  const records = await readList(listed, ids)
  const ask = async (file: string) => {
    const report = await run(write, [], {file, dryRun: true, detailedExit: true})
    const {comparison, warnings, notices, entries, exit} = report
    return {exit, warnings, notices, entries, changes: comparison?.changes, missing: comparison?.missing}
  }
  const unchanged = await ask(await writeList(read, records, way))
  expect(unchanged, way.name).toEqual({
    exit: 'ok',
    ...{warnings: [], notices: [], entries: [], changes: [], missing: []},
  })

  const last = records.at(-1) ?? {}
  const edited = [...records.slice(0, -1), edit(last, field.split('.'), to)]
  const changed = await ask(await writeList(read, edited, way))
  expect(changed, way.name).toMatchObject({exit: 'changes', entries: [], missing: [], changes: [{field, to}]})
  expect(changed.changes).toHaveLength(1)
  expect(changed.warnings).toEqual([])
}

function edit(record: JsonRecord, [name = '', ...below]: string[], to: JsonValue): JsonRecord {
  const inner = record[name]
  return {...record, [name]: below.length === 0 ? to : edit(isRecord(inner) ? inner : {}, below, to)}
}

const sites = {read: 'sites.list', write: 'sites.update', filter: 'siteIds'} as const
const alerts = {read: 'alerts.list', write: 'alerts.update', filter: 'alertIds'} as const

describe('a list goes back into the update as it was written, and one edited cell is one change', () => {
  test.each([false, true])('sites (strange: %s)', async (strange) => {
    const edits = fc.constantFrom<[string, JsonValue]>(
      ['name', 'Edited'],
      ['billingAddress', 'Edited, too'],
      ['contact.firstName', 'Zoë'],
      ['externalAccountTerminalId', 'T-77'],
      ['maxChargePrice', 77],
    )

    await fc.assert(
      fc.asyncProperty(fc.array(nastySite({strange}), {minLength: 1, maxLength: 4}), edits, async (made, change) => {
        const [first = {}] = sandbox().store.read('site')
        const ids = made.map((site) => {
          sandbox().add('site', {...first, ...site, id: nextId})
          return nextId++
        })
        for (const way of formats) await roundTrip(sites, way, ids, change)
      }),
      {numRuns, seed},
    )
  })

  test.each([false, true])('alerts (strange: %s)', async (strange) => {
    await fc.assert(
      fc.asyncProperty(fc.array(nastyAlert({strange}), {minLength: 1, maxLength: 4}), async (made) => {
        const [first = {}] = sandbox().store.read('alert')
        const times = {raisedAt: yesterday, raisedAtServerTime: yesterday, clearedAtServerTime: null}
        const ids = made.map((alert) => {
          sandbox().add('alert', {...first, ...times, ...alert, id: nextId})
          return nextId++
        })
        for (const way of formats) await roundTrip(alerts, way, ids, ['message', 'Edited'])
      }),
      {numRuns, seed},
    )
  })
})
