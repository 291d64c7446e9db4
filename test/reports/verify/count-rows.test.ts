import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readRows} from '../../../src/formats/read/read-rows.js'
import type {Manifest} from '../../../src/reports/export/manifest.js'
import {countRows} from '../../../src/reports/verify/count-rows.js'
import {makeFolder} from '../../support/folder.js'

const piece = fc.constantFrom('a', '1', 'é', ',', ';', '"', '""', '\n', '\r\n', '\r', ' ', '\ufeff', '="x"', '{', '}')
const text = fc.array(piece, {maxLength: 25}).map((pieces) => pieces.join(''))

test('as many rows are counted as are read, in every text', async () => {
  const path = join(makeFolder(), 'a.csv')
  const read = async (delimiter: string) => {
    const file = await readRows(path, {format: 'csv', mayBeEmpty: true, blankIsNull: true, delimiter})
    let rows = 0
    for await (const stretch of file.rows) rows += stretch.length
    return rows
  }
  const outcomeOf = (work: Promise<number>) => work.catch((error: unknown) => String(error))

  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(',', ';'), async (rows, delimiter) => {
      writeFileSync(path, `id${delimiter}name\n${rows}`)
      const manifest = {format: 'csv', dialect: {name: 'rfc4180', delimiter}} as Manifest

      expect(await outcomeOf(countRows(path, manifest))).toEqual(await outcomeOf(read(delimiter)))
    }),
    {numRuns: 50},
  )
})
