import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {day, hour, type Kill, type Sale, startNights, takeAway, textOf} from './nights.js'

/** 02:00 UTC of the last day but one of a February of 29 days. */
export const first = Date.UTC(2024, 1, 28, 2)

export const named = (file: string, more: ExportFlags = {}): ExportFlags => ({
  start: '2024-02-20',
  'since-last': 'nightly',
  'output-file': file,
  ...more,
})

export const sorted = (ids: number[]) => [...ids].sort((one, other) => one - other)

/** The ids of what the service had by then. */
export const arrivedBy = (sales: Sale[], at: number) =>
  sorted(sales.filter(({arrived}) => arrived <= at).map(({id}) => id))

export type History = {
  /** The ids in all files, and those that must be there. */
  found: number[]
  expected: number[]
  /** Checkpoints that nothing will go on with. */
  left: string[]
  /** The ids in all files that were delivered, as they were delivered last. */
  delivered: number[]
  killed: number
}

const kills: readonly [undefined, ...(Kill | undefined)[]] = [
  undefined,
  undefined,
  'request',
  'before recording',
  'after recording',
  'in delivery',
  'after delivery',
]

/** Some nights of a machine, from a seed: killed or not, into one file or many, which are taken away or not. */
export async function liveThrough(seed: number): Promise<History> {
  const random = createRandom(seed)
  const sales = makeSales(random)
  const nights = startNights(sales)
  const isAppended = seed % 2 === 0
  const basis: ExportFlags = seed % 4 < 2 ? {} : {'time-basis': 'utc', late: '13h'}
  const deliver = {...basis, deliver: 'copy {file}', 'skip-empty': seed % 3 === 0}
  const flags = isAppended ? named('all.ndjson', {...deliver, append: true}) : named('tx-{date}.ndjson', deliver)
  const taken: number[] = []
  let killed = 0
  let at = first
  try {
    for (let night = 0; night < 6; night++) {
      at = first + night * day + pickInteger(random, -2, 9) * hour
      const kill = night < 5 ? pick(random, kills) : undefined
      const request = pickInteger(random, 0, 12)
      const failures = night < 5 ? pick(random, [0, 0, 1, 2]) : 0
      if ((await nights.run({at, flags, kill: kill && {at: kill, request}, failures})) === 'killed') killed++
      const file = nights.path(`tx-${textOf(at).slice(0, 10)}.ndjson`)
      const isDelivered = nights.delivered.has(file)
      if (!isAppended && isDelivered && random() < 0.5) taken.push(...(takeAway(file) ?? []))
    }

    await nights.run({at: at + day, flags})
    const files = readdirSync(nights.folder).filter((name) => name.endsWith('.ndjson'))
    return {
      found: sorted([...taken, ...files.flatMap(nights.idsOf)]),
      expected: arrivedBy(sales, at + day),
      delivered: sorted([...nights.delivered.values()].flat()),
      left: readdirSync(join(nights.folder, 'exports')).filter((name) => name.endsWith('.db')),
      killed,
    }
  } finally {
    nights.remove()
  }
}

/** Sales of machines all over the world, some of which report hours late. */
function makeSales(random: Random): Sale[] {
  return Array.from({length: 60}, (_, index) => {
    const sold = Date.UTC(2024, 1, 27) + Math.floor(random() * 6 * day)
    const local = sold + pickInteger(random, -12, 14) * hour
    const lateness = pick(random, [0, 0, 0, pickInteger(random, 1, 13)]) * hour
    return {id: index + 1, sold, local, arrived: sold + lateness}
  })
}
