import {createHash} from 'node:crypto'
import {existsSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {type Committed, openPartFile} from '../../../src/formats/files/part-file.js'
import {makeFolder} from '../../support/folder.js'

let folder: string
let path: string
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

beforeEach(() => {
  folder = makeFolder()
  path = join(folder, 'a.csv')
})
/** An earlier run that wrote these stretches and stopped. */
async function stopAfter(...stretches: string[]): Promise<Committed> {
  const file = await openPartFile(path, {overwrite: false, committed: {bytes: 0}})
  for (const stretch of stretches) await file.append(Buffer.from(stretch))
  const committed = {bytes: file.size, digest: file.digest()}
  await file.close()
  return committed
}

describe('a file under its passing name', () => {
  test('goes on where an earlier run stopped, and gets its name when it is whole', async () => {
    const committed = await stopAfter('id\n', '1\n')
    writeFileSync(`${path}.part`, 'id\n1\nhalf of a stretch that nothing committed')

    const file = await openPartFile(path, {overwrite: false, committed})
    await file.append(Buffer.from('2\n'))
    const digest = file.digest()
    await file.publish()

    expect(readFileSync(path, 'utf8')).toBe('id\n1\n2\n')
    expect(digest).toBe(digestOf('id\n1\n2\n'))
    expect(existsSync(`${path}.part`)).toBe(false)
  })

  test.for([0, 1, 3, 4])('that was changed at byte %i is not gone on with', async (at) => {
    const committed = await stopAfter('id\n', '1\n')
    const bytes = readFileSync(`${path}.part`)
    bytes[at] = (bytes[at] ?? 0) + 1
    writeFileSync(`${path}.part`, bytes)

    const opened = openPartFile(path, {overwrite: false, committed})

    await expect(opened).rejects.toMatchObject({code: 'PART_DAMAGED', exit: 'storage'})
    await expect(opened).rejects.toThrow('was changed since it was written')
  })

  test('that another run has begun anew is left as it is', async () => {
    const committed = await stopAfter('id\n', '1\n')
    writeFileSync(`${path}.part`, 'longer, and of another run')

    await openPartFile(path, {overwrite: false, committed}).catch(() => undefined)

    expect(readFileSync(`${path}.part`, 'utf8')).toBe('longer, and of another run')
  })

  test('that lost bytes, or is gone, is not gone on with', async () => {
    const committed = await stopAfter('id\n', '1\n')
    truncateSync(`${path}.part`, 4)
    const cut = openPartFile(path, {overwrite: false, committed})
    await expect(cut).rejects.toThrow('has 4 bytes, but 5 were written')
    rmSync(`${path}.part`)

    const gone = openPartFile(path, {overwrite: false, committed})

    await expect(gone).rejects.toThrow('has 0 bytes, but 5 were written')
  })
})
