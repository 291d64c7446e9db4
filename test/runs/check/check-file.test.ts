import {expect, test} from 'vitest'
import {type WriteId, writeIds} from '../../../src/contract/index.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {bytesOfRecord} from '../../../src/runs/rows/cut-sets.js'
import {problemText} from '../../../src/validate/problem.js'
import {placeText} from '../../../src/values/place.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {planFile} from '../flow.js'
import {asStdin, header, site} from '../sites.js'

const files = useInputFiles()

async function check(operation: WriteId, lines: readonly string[]): Promise<string[]> {
  const {problems} = await checkFile(operation, asStdin(lines))
  return problems.map(
    (each) => `${[each.line, each.column].filter(Boolean).join(':')} ${each.severity} ${problemText(each)}`,
  )
}

test('what was found before the file breaks off is kept', async () => {
  const {problems, broken} = await checkFile('sites.create', asStdin([header, site('A', 'x'), '"']))

  expect(problems).toHaveLength(1)
  expect(broken?.entries).toMatchObject([{code: 'UNCLOSED_QUOTE', line: 3}])
})

test('no record takes more bytes than the check of its file says', async () => {
  const inFile = [header, site('€'.repeat(60)), site('A'.repeat(100))]
  const inFlag = [header, site('A')]
  for (const [lines, more] of [
    [inFile, {}] as const,
    [inFlag, {set: [`shippingAddress=${'é'.repeat(90)}`]}] as const,
  ]) {
    const {rows, longestRecordBytes} = await planFile('sites.create', {...asStdin(lines), ...more})

    const longest = Math.max(...[...rows].map(({record}) => bytesOfRecord(record)))
    expect(longestRecordBytes).toBeGreaterThanOrEqual(longest)
    expect(longestRecordBytes).toBeLessThan(20 * longest)
  }
})

test.each(writeIds)('%s: a file of nothing but an unknown column', async (operation) => {
  expect(await check(operation, ['colour'])).toContain('1:1 error colour: no such field')
})

test.each([
  ['sites.update', ['name', 'A'], ['1 error id: required, but the file has no such column']],
  ['sites.update', ['id,name', '7,A', '7,B'], ['3:1 error id: the same id as in line 2']],
  ['alerts.update', ['id,message', ',x'], ['2:1 error id: required, but the cell is empty']],
  [
    'machines.settings.set',
    ['machineId,type,settings,isCurrent', '5001,Config,a,true', '5002,Config,a,false'],
    ['3:4 error isCurrent: false: what is set is in force; leave out records that were retired'],
  ],
  ['sites.update', ['{"id":7}', '{"id":8,'], ['2 error not JSON']],
  [
    'alerts.clear',
    ['id', '7', 'x', '7'],
    ['3:1 error id: not an integer: "x"', '4:1 error id: the same id as in line 2'],
  ],
] as const)('%s %j', async (operation, lines, problems) => {
  expect(await check(operation, lines)).toEqual(problems)
})

test('says the same as a plan', async () => {
  const file = await files.write('sites.csv', `${header}\n${site('A', 'x')}\n${site('B', '1,234')}\n`)

  const {problems} = await checkFile('sites.create', {file})
  const failure = await failureOf(planFile('sites.create', {file, setSize: 500}))

  expect(failure.entries.map(({message}) => message)).toEqual(problems.map(problemText))
})

test('the cells of a misspelled column are checked as those of the field that it means', async () => {
  const misspelled = header.replace('accountId', 'acountId')

  expect(await check('sites.create', [misspelled, site('A', '"5,00"'), site('B', '')])).toEqual([
    '1:1 error acountId: no such field; did you mean accountId?',
    '2:1 error acountId: not an integer: "5,00"; write 5',
    '3:1 error acountId: required, but the cell is empty',
  ])
})

test('an update may name a field that only the records know, so its cells are not guessed', async () => {
  expect(await check('sites.update', ['id,maxChargPrice', '7,"5,00"'])).toEqual([
    '1:2 error maxChargPrice: no such field; did you mean maxChargePrice?',
  ])
})

test('the cells of a misspelled column are not guessed where --set gives the field', async () => {
  const lines = [header.replace('accountId', 'acountId'), site('A', 'x')]

  const {problems} = await checkFile('sites.create', {...asStdin(lines), set: ['accountId=7']})

  expect(problems.map(problemText)).toEqual(['acountId: no such field; did you mean accountId?'])
})

test('records of a JSON array on one line are named by their numbers, and no place behind them moves', async () => {
  const {problems} = await checkFile('sites.update', asStdin(['[{"id":1,"name":5},{"id":"x"},', '{"id":2},{}', ']']))

  expect(problems.map(placeText)).toEqual(['stdin:1:2', 'stdin:1:1 (row 2)', 'stdin:2 (row 4)'])
})
