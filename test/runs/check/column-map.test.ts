import {describe, expect, test} from 'vitest'

import {readColumnMap} from '../../../src/runs/check/column-map.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()

test('nothing is mapped unless asked', async () => {
  expect(await readColumnMap(undefined, undefined)).toBeUndefined()
})

test('pairs of the flag; the name of a column may hold =', async () => {
  expect(await readColumnMap(['Site Name = name', 'a=b=timeZone'], undefined)).toEqual({
    'Site Name': 'name',
    'a=b': 'timeZone',
  })
  expect(await readColumnMap('Zone=timeZone', undefined)).toEqual({Zone: 'timeZone'})
})

test.each([
  ['lines', '\uFEFFSite Name=name\r\n\r\nZone=timeZone\r\n'],
  ['a JSON object', ' {"Site Name": "name", "Zone": " timeZone "}\n'],
])('%s of a file, and the flag wins', async (_name, content) => {
  const path = await files.write('map.txt', content)

  expect(await readColumnMap(['Zone=_zone'], path)).toEqual({'Site Name': 'name', Zone: '_zone'})
})

test('the flag wins however the column is spelled, and a field may be given twice', async () => {
  const path = await files.write('map.txt', 'LIMIT=timeZone\nZone=name')

  expect(await readColumnMap(['Limit=maxChargePrice', 'limit=maxChargePrice'], path)).toEqual({
    limit: 'maxChargePrice',
    Zone: 'name',
  })
})

test.each([
  [['Limit=name', 'limit=timeZone'], '', '--map: "limit" is both name and timeZone'],
  [[], 'Limit=name\nLIMIT=timeZone', 'map.txt: "LIMIT" is both name and timeZone'],
  [[], '{"Limit":"name","Limit":"timeZone"}', 'map.txt: the name "Limit" appears twice'],
])('two fields of one column are refused: %j %j', async (flags, content, words) => {
  const path = await files.write('map.txt', content)

  const failure = await failureOf(readColumnMap(flags, path))

  expect(failure).toMatchObject({code: 'INVALID_MAP', exit: 'usage'})
  expect(failure.message).toContain(words)
})

test('a column may have any name, also one that objects have', async () => {
  const map = await readColumnMap(['__proto__=name'], undefined)

  expect(Object.entries(map ?? {})).toEqual([['__proto__', 'name']])
})

describe('refused', () => {
  test.each([['name'], ['=name'], ['Site='], ['=']])('the pair %j', async (pair) => {
    expect(await failureOf(readColumnMap([pair], undefined))).toMatchObject({
      code: 'INVALID_MAP',
      exit: 'usage',
      message: `--map: ${JSON.stringify(pair)} is not a COLUMN=FIELD pair`,
    })
  })

  test.each([
    ['{"a": 1}', 'the field of "a" is not a name'],
    ['{"a":', 'neither a JSON object nor lines of COLUMN=FIELD'],
    ['name', '"name" is not a COLUMN=FIELD pair'],
  ])('the file %j', async (content, why) => {
    const path = await files.write('map.txt', content)

    const failure = await failureOf(readColumnMap(undefined, path))

    expect(failure).toMatchObject({code: 'INVALID_MAP', exit: 'usage', message: `${path}: ${why}`})
  })

  test('a file that is not there', async () => {
    expect(await failureOf(readColumnMap(undefined, 'gone.txt'))).toMatchObject({
      exit: 'invalid',
      message: 'gone.txt: no such file',
    })
  })
})
