import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import {type InputSource, openSource} from '../../runs/check/input-source.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'

/** The input file of a run; undefined when it is gone or changed. */
export async function findSameInput({path, inputDigest}: RunFacts): Promise<InputSource | undefined> {
  if (path === undefined || inputDigest === undefined) return undefined
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const source = await openSource(path)
  const isSame = await digestOf(path, source).then(
    (digest) => digest === inputDigest,
    () => false,
  )
  return isSame ? source : undefined
}

async function digestOf(path: string, {through, digest}: InputSource): Promise<string> {
  for await (const _ of through(createReadStream(path)));
  return digest()
}
