import {Readable} from 'node:stream'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readCsv} from '../../../src/formats/read/read-csv.js'
import type {CellsRow} from '../../../src/formats/read/row.js'
import {createPageIntake, parseRecord} from '../../../src/formats/scan/page-renderer.js'
import {unescapeFormula} from '../../../src/formats/write/dialect.js'
import {createSummary, type Summary, toGroupRecords} from '../../../src/reports/summary/count-lines.js'
import {SummaryProblem} from '../../../src/reports/summary/line-cells.js'
import {neededFields, summaryFields} from '../../../src/reports/summary/summary-fields.js'
import {summarizeFile} from '../../../src/reports/summary/summary-file.js'
import {type SummaryKey, summaryKeys} from '../../../src/reports/summary/summary-keys.js'
import {createFieldCheck, createRecordAdder} from '../../../src/reports/summary/summary-lines.js'
import {findRepeatedName} from '../../../src/values/elements.js'
import {isRecord, JsonProblem, parseJson} from '../../../src/values/json.js'
import {toSummaryLines} from '../../support/records/summary-lines.js'

const ids = fc.constantFrom('B1', 'B2', 'B2', '007', '7', '', 'é', 'a\nb', 'a"b', "'=1", 'B1,B2')
const texts: Record<string, fc.Arbitrary<string>> = {
  'lineItem.occurredAtLocalTime': fc.oneof(
    {weight: 40, arbitrary: fc.constantFrom('2024-07-30T18:07:05', '2024-07-30 18:59', '2024-07-31T18:00:00.5')},
    {weight: 1, arbitrary: fc.constantFrom('', '2024-07-30', 'noon')},
  ),
  'lineItem.vendWasSuccessful': fc.oneof(
    {weight: 60, arbitrary: fc.constantFrom('true', 'true', 'false', 'TRUE', 'False', '')},
    {weight: 1, arbitrary: fc.constantFrom('yes', 'tru', '1')},
  ),
}
const amounts = fc.oneof(
  {weight: 120, arbitrary: fc.constantFrom('1', '1.10', '-0.05', '0', '', '12.345', '-0', '007', '999999999999999')},
  {weight: 40, arbitrary: fc.constantFrom('1e2', '9007199254740993', '0.00000000000000000001', '+1', '-1.5E-3')},
  {weight: 1, arbitrary: fc.constantFrom('.5', '5.', '-', '1,5', ' 1', '1e999', 'NaN')},
)
const isAmount = (field: string) => /\.(quantity|totalPrice|taxCharged|commission)$/.test(field)
const toArbitrary = (field: string) => texts[field] ?? (isAmount(field) ? amounts : ids)

const keysOf = fc.uniqueArray(fc.constantFrom(...summaryKeys), {minLength: 1, maxLength: 3})
const options = fc.record({isMixed: fc.boolean(), isBrief: fc.boolean()})
const groupings = fc.array(keysOf, {minLength: 1, maxLength: 3})

/** Records as they might stand in a file: with a batch of its own now and then, and unequal to their columns. */
function tables(by: readonly (readonly SummaryKey[])[]) {
  const others = fc.subarray(['siteName', 'lineItem.productName', 'note'])
  return others.chain((more) => {
    const fields = [...neededFields(by.flat()), ...more]
    const row = fc.tuple(...fields.map(toArbitrary))
    const rows = fc.array(
      fc.oneof(
        {weight: 9, arbitrary: row},
        {
          weight: 1,
          arbitrary: row.map((cells) =>
            cells.map((cell, place) => (fields[place]?.startsWith('lineItem.') ? '' : cell)),
          ),
        },
      ),
      {maxLength: 12},
    )
    return fc.record({
      fields: fc.constant(fields),
      order: fc.shuffledSubarray([...fields.keys()], {minLength: fields.length}),
      rows,
      delimiter: fc.constantFrom(',', ';', '\t'),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\ufeff'),
      quotes: fc.infiniteStream(fc.integer({min: 0, max: 3})),
      cut: fc.integer({min: 1, max: 90}),
      short: fc.integer({min: 1, max: 100}),
    })
  })
}

type Table = ReturnType<typeof tables> extends fc.Arbitrary<infer Value> ? Value : never

function toText({fields, order, rows, delimiter, lineEnd, mark, quotes, short}: Table): string {
  const print = (cell: string, isFree: boolean) =>
    /["\r\n,;\t]/.test(cell) || (isFree && quotes.next().value === 0) ? `"${cell.replaceAll('"', '""')}"` : cell
  const all = [fields, ...rows].map((cells, row) => order.map((place) => print(cells[place] ?? '', row > 0)))
  all[short]?.pop()
  return mark + all.map((cells) => cells.join(delimiter) + lineEnd).join('')
}

/** The obvious way: csv-parse, then each line by its values. */
async function addByValues(table: Table, summary: Summary): Promise<string> {
  const text = toText(table).replace('\ufeff', '')
  const {delimiter, mark} = table
  const all: CellsRow[] = []
  const read = readCsv(Readable.from([Buffer.from(text)]), {file: '', delimiter})
  for await (const stretch of read) all.push(...stretch)
  const [header, ...rows] = all
  const places = summary.fields.map((field) => header?.cells.indexOf(field) ?? -1)
  for (const {cells, line} of rows) {
    if (cells.length !== header?.cells.length) return `${line}: cannot be counted: ${cells.length} cell`
    try {
      summary.add(places.map((place) => (mark === '' ? cells[place] : cells[place] && unescapeFormula(cells[place]))))
    } catch (error) {
      if (error instanceof SummaryProblem) return `${line}: cannot be counted: ${error.message}`
      throw error
    }
  }

  return ''
}

async function addByBytes(text: string, cut: number, summary: Summary): Promise<string> {
  const bytes = Buffer.from(text)
  const pieces = Array.from({length: Math.ceil(bytes.length / cut)}, (_, at) =>
    bytes.subarray(at * cut, at * cut + cut),
  )
  try {
    await summarizeFile('-', summary, {stdin: Readable.from(pieces)})
    return ''
  } catch (error) {
    const [entry] = (error as {entries: {line?: number; message: string}[]}).entries
    return `${entry?.line}: ${entry?.message}`
  }
}

function show(summary: Summary) {
  const groups = summary.groupings().map(toGroupRecords)
  return JSON.stringify([groups, summary.total().toRecord(), [...summary.missing].sort()])
}

test('a table is summed from its bytes as it is from the values of its cells', async () => {
  await fc.assert(
    fc.asyncProperty(
      groupings.chain((by) => fc.tuple(fc.constant(by), options, tables(by))),
      async ([by, how, table]) => {
        const [fast, slow] = [createSummary(by, how), createSummary(by, how)]

        const problem = await addByValues(table, slow)

        expect(await addByBytes(toText(table), table.cut, fast)).toContain(problem)
        if (problem === '') expect(show(fast)).toBe(show(slow))
      },
    ),
    {numRuns: 150},
  )
})

const jsonOf = (arbitrary: fc.Arbitrary<string>) =>
  fc.tuple(arbitrary, fc.integer({min: 0, max: 5})).map(([text, way]) => {
    const isWord = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$|^(true|false)$/.test(text)
    if (way === 0) return 'null'
    return isWord && way > 1 ? text : JSON.stringify(text)
  })
const oddValues = fc.constantFrom('{}', '[]', '[{}]', '[1]', '{"a":{"b":null}}', '"\\u0042"', '"\\/"', '1e2', '"é☕"')

/** The text of an object: its fields, one now and then missing, odd, in other case, twice, or unknown. */
function objects(values: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const fields = Object.entries(values).map(([name, value]) =>
    fc.tuple(value, oddValues, fc.integer({min: 0, max: 80})).map(([text, other, way]) => {
      if (way === 0) return []
      if (way === 1) return [`"${name}":${other}`]
      if (way === 2) return [`"${name.toUpperCase()}":${text}`]
      if (way === 3) return [`"${name}":${other}`, `"${name}":${text}`]
      return way === 4
        ? [`"${name}":${text}`, `"${name}Of":${other}`]
        : [`"${name}" : ${text}`.replaceAll(' ', way < 20 ? ' ' : '')]
    }),
  )
  return fc.tuple(fc.tuple(...fields), fc.boolean()).map(([all, isTurned]) => {
    const texts = all.flat()
    return `{${(isTurned ? texts.toReversed() : texts).join(',')}}`
  })
}

function records(by: readonly (readonly SummaryKey[])[]): fc.Arbitrary<string> {
  const all = summaryFields(by.flat())
  const valuesOf = (isOfLine: boolean) =>
    Object.fromEntries(
      all
        .filter((field) => field.startsWith('lineItem.') === isOfLine)
        .map((field) => [field.replace('lineItem.', ''), jsonOf(toArbitrary(field))]),
    )
  const line = objects(valuesOf(true))
  const list = fc.oneof(
    {weight: 20, arbitrary: fc.array(line, {maxLength: 3}).map((lines) => `[${lines.join(',')}]`)},
    {weight: 1, arbitrary: fc.constantFrom('null', '{}', '7', '[null]', '[1]', '[[]]')},
  )
  const one = fc.oneof({weight: 20, arbitrary: line}, {weight: 1, arbitrary: fc.constantFrom('null', '[]', '7')})
  const both = {lineItems: list, lineItem: one}
  const batch = objects({...valuesOf(false), lineItems: list})
  return fc.oneof(
    {weight: 6, arbitrary: batch},
    {weight: 1, arbitrary: fc.tuple(batch, fc.constantFrom('}', ' 1', '{}')).map((texts) => texts.join(''))},
    {weight: 6, arbitrary: objects({...valuesOf(false), lineItem: one})},
    {weight: 1, arbitrary: objects({...valuesOf(false), ...both})},
    {weight: 1, arbitrary: fc.constantFrom('5', '[]', '{"id"', '{"id":1}}')},
  )
}

/** The obvious way: each record parsed, then each line by its values. */
function addParsed(text: string, summary: Summary, isChecked: boolean): string {
  try {
    const record = parseJson(text)
    if (!isRecord(record)) return 'no record'
    const repeated = isChecked ? findRepeatedName(text) : undefined
    if (repeated !== undefined) return `the name ${repeated} appears twice`
    const missing = isChecked ? createFieldCheck(summary.needed)(record) : []
    if (missing.length > 0) return `no ${missing[0]}`
    for (const line of toSummaryLines(record, summary.fields)) summary.add(line)
    return ''
  } catch (error) {
    if (error instanceof SummaryProblem || error instanceof JsonProblem) return error.message
    throw error
  }
}

const cases = groupings.chain((by) =>
  fc.tuple(fc.constant(by), options, fc.array(records(by), {maxLength: 4}), fc.integer({min: 1, max: 200})),
)

test.for(['ndjson', 'json'] as const)('%s is summed from its bytes as it is from parsed records', async (format) => {
  await fc.assert(
    fc.asyncProperty(cases, async ([by, how, texts, cut]) => {
      const [fast, slow] = [createSummary(by, how), createSummary(by, how)]
      const lines = format === 'ndjson' ? texts.map((text) => `${text}\r\n`).join('\n') : `[${texts.join(' ,\n')}\n]`
      fc.pre(format === 'json' ? isArray(lines) : lines.startsWith('{'))

      const problem = texts.reduce((found, text) => found || addParsed(text, slow, true), '')

      const failed = await addByBytes(lines, cut, fast)
      expect(failed).toContain(problem)
      expect(failed === '').toBe(problem === '')
      if (problem === '') expect(show(fast)).toBe(show(slow))
    }),
    {numRuns: 200},
  )
})

function isArray(text: string): boolean {
  try {
    return Array.isArray(parseJson(text))
  } catch {
    return false
  }
}

test('pages are summed from their bytes as they are from parsed records', () => {
  fc.assert(
    fc.property(cases, ([by, how, texts]) => {
      const [fast, slow] = [createSummary(by, how), createSummary(by, how)]
      const good = texts.filter((text) => isArray(`[${text}]`) && text.startsWith('{'))
      const intake = createPageIntake({columns: []}, {waitsFor: 'nothing'})
      const adder = createRecordAdder(fast, intake.shapes)
      const page = intake.scan(Buffer.from(`[${good.join(',')}]`))

      let found = ''
      for (const [index, text] of good.entries()) {
        if (found !== '') break
        found = addParsed(text, slow, false)
        const read = () => adder.scanned(page, index, () => parseRecord(page, index))
        if (found === '') read()
        else expect(read).toThrow(found)
      }

      if (found === '') expect(show(fast)).toBe(show(slow))
    }),
    {numRuns: 200},
  )
})

test('a field with the name of a line takes no place of the list of a batch', () => {
  const summary = createSummary([['product']], {isMixed: false})
  const line = (price: string) =>
    `{"productId":1,"vendWasSuccessful":true,"quantity":1,"totalPrice":${price},"taxCharged":0,"commission":0}`
  const intake = createPageIntake({columns: []}, {waitsFor: 'nothing'})
  const page = intake.scan(
    Buffer.from(`[{"id":"B1","lineItem":${line('9')},"lineItems":[${line('1.10')},${line('2')}]}]`),
  )
  createRecordAdder(summary, intake.shapes).scanned(page, 0, () => parseRecord(page, 0))

  expect([summary.total().lines, summary.total().sum('totalPrice')]).toEqual([2, '3.10'])
})
