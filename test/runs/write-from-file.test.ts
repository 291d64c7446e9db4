import {expect, test} from 'vitest'
import type {Page, RefusalEntry, WriteAnswer} from '../../src/client/types.js'
import {CliFailure} from '../../src/core/errors.js'
import type {JsonRecord} from '../../src/values/json.js'
import {type BulkOptions, bulkFromFile} from './flow.js'
import {asStdin, header, site} from './sites.js'

type Answer = WriteAnswer | Error | ((records: JsonRecord[]) => WriteAnswer)

/** No record is there before. */
async function* readNothing(): AsyncGenerator<Page, void, void> {}

/** A client that gives these answers, one a set, and applies whatever comes after them. */
function createVendor(...answers: Answer[]) {
  const sets: JsonRecord[][] = []
  let nextId = 100
  const write: BulkOptions['client']['write'] = async (_id, {records = []}) => {
    sets.push(records)
    const answer = answers.shift() ?? {fate: 'applied', ids: records.map(() => nextId++), records: []}
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(records) : answer
  }

  return {client: {write, readPages: readNothing}, sets}
}

const names = (count: number) => Array.from({length: count}, (_, index) => site(`Site ${index}`))

function run(vendor: ReturnType<typeof createVendor>, lines: readonly string[], options: Partial<BulkOptions> = {}) {
  return bulkFromFile('sites.create', {client: vendor.client, ...asStdin([header, ...lines]), setSize: 2, ...options})
}

const refusal = (...refusals: Partial<RefusalEntry>[]): WriteAnswer => ({
  fate: 'refused',
  status: 400,
  refusals: refusals.map((entry) => ({code: 'NAME_UNIQUENESS', message: 'Taken.', pointers: [], ...entry})),
})

const applied: WriteAnswer = {fate: 'applied', ids: [1, 2], records: []}
const inDoubt: WriteAnswer = {fate: 'inDoubt', why: 'the answer was cut', refusals: []}
const offline = new CliFailure('Cannot connect.', {code: 'UNREACHABLE', exit: 'unavailable', retry: 'safe'})

test('sets of the asked size, and the id of every record', async () => {
  const vendor = createVendor()
  const seen: number[] = []

  const report = await run(vendor, names(5), {onProgress: ({rowsDone}) => seen.push(rowsDone)})

  expect(vendor.sets.map((records) => records.map(({name}) => name))).toEqual([
    ['Site 0', 'Site 1'],
    ['Site 2', 'Site 3'],
    ['Site 4'],
  ])
  expect(report).toMatchObject({
    exit: 'ok',
    rows: {applied: 5, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0},
    sets: {planned: 3, sent: 3, applied: 3},
    refusals: [],
    entries: [],
  })
  expect(report.outcomes.at(-1)).toEqual({line: 6, fate: 'applied', id: 104})
  expect(seen).toEqual([2, 4, 5])
})

test('a refusal stops the run: guilty rows are refused, the rest of the set rolled back, later sets unsent', async () => {
  const vendor = createVendor(applied, refusal({pointers: [1], pointerName: 'index'}))

  const report = await run(vendor, names(6))

  expect(vendor.sets).toHaveLength(2)
  expect(report.outcomes.map(({line, fate}) => `${line} ${fate}`)).toEqual([
    '2 applied',
    '3 applied',
    '4 rolledBack',
    '5 refused',
    '6 unsent',
    '7 unsent',
  ])
  expect(report).toMatchObject({exit: 'partial', sets: {planned: 3, sent: 2, applied: 1}})
  expect(report.refusals).toEqual([
    {
      file: 'stdin',
      line: 5,
      column: 3,
      columnName: 'name',
      name: 'Site 3',
      cell: 'Site 3',
      code: 'NAME_UNIQUENESS',
      message: 'Taken.',
      pointerName: 'index',
      pointer: 1,
      set: 2,
    },
  ])
  expect(report.entries).toMatchObject([
    {code: 'NAME_UNIQUENESS', message: 'Taken.', exit: 5, line: 5, pointers: [1], changed: 'none', retry: 'after-fix'},
  ])
})

test('several errors with several pointers; a natural key leads to its cell; what matches nothing is kept', async () => {
  const vendor = createVendor(
    refusal(
      {pointers: ['site 1', 'Nowhere'], pointerName: 'Name'},
      {code: 'GLOBAL_CHARGE_KEY', message: 'Global.', pointers: [0, 1], pointerName: 'index'},
      {code: 'NEW_CODE', message: 'Something else.'},
    ),
  )

  const report = await run(vendor, names(3), {setSize: 3})

  expect(report.rows).toEqual({applied: 0, refused: 2, rolledBack: 1, inDoubt: 0, unsent: 0, unchanged: 0})
  expect(report.exit).toBe('refused')
  expect(report.refusals).toMatchObject([
    {line: 2, code: 'GLOBAL_CHARGE_KEY', pointer: 0},
    {line: 3, column: 3, columnName: 'name', cell: 'Site 1', pointer: 'site 1'},
    {line: 3, code: 'GLOBAL_CHARGE_KEY', pointer: 1},
    {pointer: 'Nowhere', lines: [2, 4]},
    {code: 'NEW_CODE', lines: [2, 4]},
  ])
  expect(report.outcomes.at(1)).toMatchObject({line: 3, fate: 'refused', code: 'NAME_UNIQUENESS', column: 3})
  expect(report.entries.map(({message}) => message)).toEqual([
    'Global.',
    'Taken.',
    'Global.',
    'Taken. (pointer "Nowhere" matches no row of set 1 of 1 (3 rows, lines 2 to 4))',
    'Something else. (set 1 of 1 (3 rows, lines 2 to 4))',
  ])
})

test('a set without an answer is in doubt, and nothing is sent after it', async () => {
  const vendor = createVendor(applied, inDoubt)

  const report = await run(vendor, names(5))

  expect(vendor.sets).toHaveLength(2)
  expect(report.rows).toEqual({applied: 2, refused: 0, rolledBack: 0, inDoubt: 2, unsent: 1, unchanged: 0})
  expect(report.exit).toBe('inDoubt')
  expect(report.entries).toEqual([
    {
      code: 'IN_DOUBT',
      message: 'set 2 of 3 (2 rows, lines 4 to 5): in doubt: the answer was cut',
      exit: 7,
      file: 'stdin',
      line: 4,
      changed: 'unknown',
      retry: 'reconcile-first',
      hint: 'Do not send the rows in doubt again. Find out what became of them: vendorctl runs reconcile R1',
    },
  ])
})

test('a yes with the wrong number of ids is in doubt', async () => {
  const report = await run(createVendor({fate: 'applied', ids: [1], records: []}), names(2))

  expect(report).toMatchObject({exit: 'inDoubt', rows: {inDoubt: 2}})
  expect(report.entries[0]?.message).toContain('the service answered 1 ids for 2 records')
})

test('a client that breaks is in doubt, unless it says that it changed nothing', async () => {
  expect(await run(createVendor(new TypeError('oops')), names(3))).toMatchObject({
    exit: 'inDoubt',
    rows: {inDoubt: 2, unsent: 1},
  })
  expect(await run(createVendor(offline), names(3))).toMatchObject({
    exit: 'unavailable',
    rows: {inDoubt: 0, unsent: 3, unchanged: 0},
  })
})

test('a dry run and a no send nothing', async () => {
  const vendor = createVendor()
  const asked: number[] = []

  const dry = await run(vendor, names(3), {dryRun: true, confirm: async () => false})
  const declined = await run(vendor, names(3), {confirm: async ({rows}) => asked.push(rows.length) > 1})

  expect(dry).toMatchObject({dryRun: true, exit: 'ok', rows: {unsent: 3}, sets: {planned: 2, sent: 0}})
  expect(declined).toMatchObject({dryRun: false, exit: 'failure', rows: {unsent: 3}})
  expect(asked).toEqual([3])
  expect(vendor.sets).toEqual([])
})

test('a file without rows is done, and nobody is asked', async () => {
  const vendor = createVendor()

  const report = await run(vendor, [], {confirm: async () => false})

  expect(report).toMatchObject({exit: 'ok', outcomes: [], notices: []})
  expect(vendor.sets).toEqual([])
})

test('pointers that match no row are listed a hundred times, and then counted', async () => {
  const pointers = Array.from({length: 50_000}, (_, index) => index)
  const vendor = createVendor(refusal({pointers, pointerName: 'index'}))

  const report = await run(vendor, [site('A'), site('B')])

  expect(report).toMatchObject({exit: 'refused', rows: {refused: 2}})
  expect(report.refusals).toHaveLength(103)
  expect(report.refusals.at(-1)?.message).toBe('49,898 further pointers without a matching row')
})

test('a refused record of a JSON array on one line is named by its number', async () => {
  const record = {accountId: 1, orgId: 2, isActive: true, maxChargePrice: 1, maximumMeterSalesJumpAllowed: 0}
  const records = ['A', 'B', 'C'].map((name) => ({...record, name, commissionTerms: 'Net10'}))
  const {client} = createVendor(applied, refusal({pointerName: 'index', pointers: [0]}))

  const report = await bulkFromFile('sites.create', {client, ...asStdin([JSON.stringify(records)]), setSize: 2})

  expect(report.refusals).toMatchObject([{line: 1, row: 3}])
  expect(report.entries).toMatchObject([{line: 1, row: 3}])
})
