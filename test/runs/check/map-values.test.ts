import {describe, expect, test} from 'vitest'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {readValueMaps} from '../../../src/runs/check/column-map.js'
import type {CheckOptions} from '../../../src/runs/check/row-rules.js'
import {problemText} from '../../../src/validate/problem.js'
import {printJson} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {planFile} from '../flow.js'

const files = useInputFiles()
const terms = 'from,to\nNet 30 days,Net30\nprepaid, PrePaid\n'
const zones = '{"PST": "Pacific Standard Time", "none": null, "blank": ""}'

type Given = {input: string; name?: string} & Omit<CheckOptions, 'mapValues'>

async function optionsOf({input, name = 'sites.csv', ...options}: Given, maps: Record<string, string>) {
  const pairs = []
  for (const [pair, content] of Object.entries(maps)) {
    const [field, path = ''] = pair.split('=')
    pairs.push(`${field}=${await files.write(path, content)}`)
  }
  return {file: await files.write(name, input), mapValues: await readValueMaps(pairs), merges: true, ...options}
}

async function recordsOf(given: Given, maps: Record<string, string>) {
  const {rows} = await planFile('sites.update', await optionsOf(given, maps))
  return rows.map(({record}) => JSON.parse(printJson(record)))
}

async function problemsOf(given: Given, maps: Record<string, string>) {
  const {problems} = await checkFile('sites.update', await optionsOf(given, maps))
  return problems.map((each) => `${[each.line, each.column].filter(Boolean).join(':')} ${problemText(each)}`.trim())
}

test('cells are replaced before they are typed, in a mapped column and in nested fields too', async () => {
  const input = 'id,Terms,time_zone,contact.lastName\n7, Net 30 days ,PST,m\n8,prepaid,none,\n9,Net30,blank,m\n10,,,m\n'
  const maps = {'Terms=t.csv': terms, 'timeZone=z.json': zones, 'contact.lastName=n.tsv': 'm\tMiller\n'}

  expect(await recordsOf({input, map: {Terms: 'commissionTerms'}}, maps)).toEqual([
    {id: 7, commissionTerms: 'Net30', timeZone: 'Pacific Standard Time', contact: {lastName: 'Miller'}},
    {id: 8, commissionTerms: 'PrePaid', timeZone: null},
    {id: 9, commissionTerms: 'Net30', timeZone: '', contact: {lastName: 'Miller'}},
    {id: 10, contact: {lastName: 'Miller'}},
  ])
})

test.each(['sites.json', 'sites.ndjson'])('%s: values become what the contract says', async (name) => {
  const records = [
    '{"ID":7,"commissionTerms":"Net 30 days","accountId":"north","contact":{"lastName":"m"}}',
    '{"id":8,"commissionTerms":null,"accountId":1,"contact.lastName":"m"}',
  ]
  const input = name === 'sites.json' ? `[${records.join(',\n')}]` : `${records.join('\n')}\n`
  const maps = {
    'commissionTerms=t.csv': terms,
    'account-id=a.csv': 'from,to\nnorth,201\n1,202\n',
    'contact.lastName=n.csv': 'm,Miller\n',
  }

  expect(await problemsOf({input, name}, maps)).toEqual(['2:2 commissionTerms: may not be null'])
  expect(await recordsOf({input: input.replace(',"commissionTerms":null', ''), name}, maps)).toEqual([
    {id: 7, commissionTerms: 'Net30', accountId: 201, contact: {lastName: 'Miller'}},
    {id: 8, accountId: 202, contact: {lastName: 'Miller'}},
  ])
})

test('a nested field is left alone where a record has no such object', async () => {
  const input = '[{"id":7,"contact":null},{"id":8,"contact":{"firstName":"m"}},{"id":9,"contact":{"lastName":"m"}}]'

  expect(await recordsOf({input, name: 'sites.json'}, {'contact.lastName=n.csv': 'm,Miller\n'})).toEqual([
    {id: 7, contact: null},
    {id: 8, contact: {firstName: 'm'}},
    {id: 9, contact: {lastName: 'Miller'}},
  ])
})

test('a value that has no replacement is the only problem of its cell', async () => {
  const input = 'id,commissionTerms,timeZone\n7,Net 30 dais,UTC\n8,NET 30 DAYS,\n'
  const path = files.folder()

  expect(await problemsOf({input}, {'commissionTerms=t.csv': terms})).toEqual([
    `2:2 commissionTerms: "Net 30 dais" is not in ${path}/t.csv; did you mean "Net 30 days"?`,
    `3:2 commissionTerms: "NET 30 DAYS" is not in ${path}/t.csv; did you mean "Net 30 days"?`,
  ])
})

test('a column that the file does not have, and a field that no record has', async () => {
  const maps = {'timeZone=z.json': zones}

  expect(await problemsOf({input: 'id\n7\n'}, maps)).toEqual([
    '1 timeZone: named by --map-values, but the file has no such column',
  ])
  expect(await problemsOf({input: '[{"id":7}]', name: 's.json'}, maps)).toEqual([
    'timeZone: named by --map-values, but the file has no such column',
  ])
})

test('fields of --set and replaced values stand side by side', async () => {
  const input = 'id,commissionTerms\n7,prepaid\n'

  expect(await recordsOf({input, set: ['timeZone=PST']}, {'commissionTerms=t.csv': terms})).toEqual([
    {id: 7, commissionTerms: 'PrePaid', timeZone: 'PST'},
  ])
})

describe('files of values', () => {
  test.each([
    ['a value twice', 'from,to\na,Net10\nb,Net10\n a,Net15\n', ['4:1 from: "a" is replaced in line 2 already']],
    ['no new value', 'a,Net10\nb,\n', ['2:2 to: no value for "b"; write \\N for null, or remove the row']],
    ['null', 'a,\\N\n', ['1:2 commissionTerms: may not be null']],
    [
      'a wrong value',
      'from,to\na,net10\n',
      [expect.stringMatching(/^2:2 commissionTerms: not one of .* did you mean Net10\?$/)],
    ],
    ['another header', 'old,new\na,Net10\n', [expect.stringMatching(/^1:2 commissionTerms: not one of .*: "new"/)]],
  ])('%s', async (_name, content, problems) => {
    const failure = await failureOf(recordsOf({input: 'id,commissionTerms\n7,a\n'}, {'commissionTerms=t.csv': content}))

    expect(failure.exit).toBe('invalid')
    expect(failure.message).toMatch(/t\.csv: 1 problem in \d rows?; nothing was sent\./)
    expect(failure.entries.map(({line, column, message}) => `${line}:${column} ${message}`)).toEqual(problems)
  })

  test.each([
    ['three columns', 't.csv', 'from,to,x\na,b,c\n', 'RAGGED_ROW'],
    ['one column', 't.csv', 'from\na\n', 'RAGGED_ROW'],
    ['a list of records', 't.json', '[{"a": 1}]', 'NOT_CSV'],
    ['records by line', 't.ndjson', '{"a": 1}\n', 'NOT_CSV'],
  ])('refused: %s', async (_name, path, content, code) => {
    const file = await files.write(path, content)
    const failure = await failureOf(readValueMaps(`timeZone=${file}`))

    expect(failure.exit).toBe('invalid')
    expect([failure.code, ...failure.entries.map((entry) => entry.code)]).toContain(code)
  })

  test.each([['timeZone'], ['=x.csv'], ['timeZone='], ['timeZone=-']])('refused: the pair %j', async (pair) => {
    await expect(async () => readValueMaps(pair)).rejects.toMatchObject({code: 'INVALID_MAP', exit: 'usage'})
  })

  test('one that is not there, and two for one field', async () => {
    const file = await files.write('t.csv', terms)
    const twice = {'Terms=t.csv': terms, 'commission_terms=u.csv': terms}
    const input = 'id,Terms\n7,prepaid\n'

    expect(await failureOf(readValueMaps(`timeZone=${file}.gone`))).toMatchObject({
      exit: 'invalid',
      code: 'UNREADABLE_FILE',
    })
    expect(await failureOf(recordsOf({input, map: {Terms: 'commissionTerms'}}, twice))).toMatchObject({
      ...{exit: 'usage', code: 'INVALID_MAP', message: '--map-values commissionTerms: given twice'},
    })
  })
})

test.each([
  ['t.csv', 'from,to\n,Net30\n', 'no value that is replaced; an empty cell stays empty'],
  ['t.json', '{"":"Net30"}', 'no value that is replaced; an empty cell stays empty'],
  ['t.json', '{"Net 30 days":"Net30","Net 30 days":"Net60"}', '"Net 30 days" is replaced twice'],
])('%s of %j is refused', async (name, content, words) => {
  const failure = await failureOf(
    problemsOf({input: 'id,commissionTerms\n7,Net 30 days\n'}, {[`commissionTerms=${name}`]: content}),
  )

  expect(failure.exit).toBe('invalid')
  expect([failure.message, ...failure.entries.map(({message}) => message)].join()).toContain(words)
})
