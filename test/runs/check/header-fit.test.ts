import {expect, test} from 'vitest'
import {findFitting} from '../../../src/runs/check/header-fit.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()
const commands = ['sites create', 'sites update', 'alerts clear', 'selections update']

test.each([
  ['id,maxChargePrice', ['sites update']],
  ['machineId,selectionNumber,id,price', ['selections update']],
  ['colour,taste', []],
])('a file of the columns %s is one for %j', async (header, fitting) => {
  const file = await files.write('rows.csv', `${header}\n1,2\n`)

  expect(await findFitting(file, commands)).toEqual(fitting)
})

test('a header below a title is found by the write that it fits', async () => {
  const file = await files.write('titled.csv', 'Prices of May\n\nid,maxChargePrice\n1,2\n')

  expect((await failureOf(findFitting(file, commands))).message).toContain('row 3 looks like one')
})
