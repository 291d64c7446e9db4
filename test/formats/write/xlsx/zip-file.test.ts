import {closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openPromise} from 'yauzl'
import {createZipFile} from '../../../../src/formats/write/xlsx/zip-file.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zip-'))
})

afterEach(() => {
  rmSync(folder, {recursive: true})
})

test.for([
  ['small', 0],
  ['that passes 4 GiB', 2 ** 32 - 100],
  ['of more than 4 GiB', 5e9],
] as const)('a zip file %s is read again, its sums and sizes too', async ([, start]) => {
  const path = join(folder, 'a.zip')
  const file = openSync(path, 'w')
  ftruncateSync(file, start) // takes no room on the disk
  let at: number = start
  const write = async (bytes: Uint8Array) => {
    at += writeSync(file, bytes, 0, bytes.length, at)
  }
  const zip = createZipFile({write}, start)
  const texts = Array.from({length: 9}, (_, place) => `${place},`.repeat(1000))
  let needed = texts.length

  for (const one of texts) await zip.write('größe', Buffer.from(one), () => needed--)
  await zip.write('b/empty', Buffer.from(''))
  await zip.close()
  closeSync(file)

  expect(needed).toBe(0)
  expect(statSync(path).size).toBe(at)
  expect(await readAll(path)).toEqual({größe: texts.join(''), 'b/empty': ''})
})

async function readAll(path: string): Promise<Record<string, string>> {
  const zip = await openPromise(path, {autoClose: false})
  const read: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) read[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  zip.close()
  return read
}
