import {createHash} from 'node:crypto'
import {devNull} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {findSameInput} from '../../../src/runs/check/input-source.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

test('the file of a run is found again only as it was', async () => {
  const path = await files.write('rows.csv', 'id\n1\n')

  const found = await findSameInput({path, inputDigest: digestOf('id\n1\n')})
  const missing = join(files.folder(), 'missing.csv')

  expect(found?.digest()).toBe(digestOf('id\n1\n'))
  expect(await findSameInput({path, inputDigest: digestOf('id\n2\n')})).toBeUndefined()
  expect(await findSameInput({path: missing, inputDigest: digestOf('id\n1\n')})).toBeUndefined()
})

test('what is no file is not read again, though its bytes would be the same', async () => {
  expect(await findSameInput({path: devNull, inputDigest: digestOf('')})).toBeUndefined()
})
