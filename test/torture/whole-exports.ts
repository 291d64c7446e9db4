import {mkdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {systemClock} from '../../src/core/clock.js'
import {pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {exportHere} from '../support/export.js'
import {type Digests, digestsOf} from './compare-export.js'

/** One way to export. */
export type Kind = {
  name: string
  words: readonly string[]
  isCompressed: boolean
  pageSize: number
  rows: 'lines' | 'batches' | undefined
  /** About how many there are. */
  pages: number
}

export type World = {batches: number; seed: number}

/** Fixed moments, so that every run asks the same: four windows. */
export const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}
const now = Date.UTC(2024, 6, 30, 18)
const formats = ['csv', 'tsv', 'ndjson', 'json'] as const
const pageSizes = [25, 60, 110, 400] as const

/** The same records for the same options, wherever and whenever it is started. */
export function startWorld({batches, seed}: World): Promise<Sandbox> {
  return startSandbox({limits: false, batches, machines: 20, seed, clock: {...systemClock, now: () => now}})
}

/** Every format, plain and compressed, in turn. */
export function pickKind(number: number, random: Random): Kind {
  const format = formats[number % formats.length] ?? 'csv'
  const isCompressed = (number >> 2) % 2 === 1
  const pageSize = pageSizes[pickInteger(random, 0, pageSizes.length - 1)] ?? 25
  const rows = pickInteger(random, 0, 3) === 0 ? 'batches' : undefined
  return {
    name: `x.${format}${isCompressed ? '.gz' : ''}`,
    words: ['--page-size', String(pageSize), ...(rows ? ['--rows', rows] : [])],
    ...{isCompressed, pageSize, rows},
    pages: 4 + Math.floor(500 / pageSize),
  }
}

/** The files that are written when nothing goes wrong; each is read once, by one page at a time. */
export type Wholes = {digestsOf(kind: Kind): Promise<Digests>; close(): Promise<void>}

export async function createWholes(folder: string, world: World): Promise<Wholes> {
  const sandbox = await startWorld(world)
  const known = new Map<string, Promise<Digests>>()
  const write = async ({name, pageSize, rows}: Kind, place: string): Promise<Digests> => {
    const path = join(place, name)
    mkdirSync(place, {recursive: true})
    const flags = {'page-size': pageSize, ...(rows && {rows})}
    const {kind} = await exportHere({sandbox, ...range, path, flags, options: {pagesInFlight: 1}})
    if (kind !== 'written') throw new Error(`${path}: ${kind}`)
    const digests = digestsOf(path)
    rmSync(place, {recursive: true})
    return digests
  }
  return {
    digestsOf(kind) {
      const key = [kind.name, ...kind.words].join(' ')
      const digests = known.get(key) ?? write(kind, join(folder, String(known.size)))
      known.set(key, digests)
      return digests
    },
    close: () => sandbox.close(),
  }
}
