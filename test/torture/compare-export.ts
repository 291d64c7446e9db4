import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'

/** The bytes of a file, and its lines in no order. */
export type Digests = {bytes: string; lines: string}

export type Finished = {home: string; name: string; label: string /** Of the file as it must be. */; whole: Digests}

/**
 * The file, its manifest, and that nothing else is left, neither beside it nor in the folders of the program. A file of
 * which windows were read again, as its manifest says, may hold its lines in another order. Returns whether it does.
 */
export function compareExport({home, name, label, whole}: Finished, wrong: string[]): {wasReadAgain: boolean} {
  const names = readdirSync(home).filter((other) => other !== 'state')
  if (names.sort().join(' ') !== `${name} ${name}.manifest.json`) wrong.push(`${label}: left ${names.join(' ')}`)
  const {bytes, lines} = digestsOf(join(home, name))
  const manifest = JSON.parse(readFileSync(join(home, `${name}.manifest.json`), 'utf8')) as Manifest
  const wasReadAgain = bytes !== whole.bytes && manifest.drift.length > 0
  if (wasReadAgain && lines !== whole.lines) wrong.push(`${label}: other lines than without a kill`)
  if (!wasReadAgain && bytes !== whole.bytes) wrong.push(`${label}: other bytes than without a kill`)
  if (manifest.digest !== `sha256:${bytes}`) wrong.push(`${label}: the manifest has another digest`)
  const kept = readdirSync(join(home, 'state', 'vendorctl', 'exports')).filter((other) => !other.endsWith('.lock'))
  if (kept.length > 0) wrong.push(`${label}: kept ${kept.join(' ')}`)
  return {wasReadAgain}
}

type Manifest = {digest: string; drift: string[]}

export function digestsOf(path: string): Digests {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const lines = text.split('\n').map((line) => line.replace(/,$/, ''))
  return {bytes: digestOf(bytes), lines: digestOf(lines.sort().join('\n'))}
}

function digestOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
