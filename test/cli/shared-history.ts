import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import type {SharedMarks} from '../../src/reports/register/shared-marks.js'
import {createRandom, pick, pickInteger} from '../../src/sandbox/seed/random.js'
import {arrivedBy, first, makeSales, named, sorted} from './history-of-nights.js'
import {day, hour, type Kill, startNights} from './nights.js'

const kills: readonly [undefined, ...(Kill | undefined)[]] = [
  undefined,
  'request',
  'before announcing',
  'after announcing',
  'before sharing',
  'before recording',
  'after recording',
]

/** Each with its own disk, with one disk for the files of all, or such that nothing but that disk outlives a night. */
const disks = ['own', 'shared', 'pods'] as const

/** Some nights of a name, each on any of three machines, killed or not; every record is in one file in the end. */
export async function liveOnMachines(seed: number, marksOf: (host: string) => SharedMarks) {
  const random = createRandom(seed)
  const sales = makeSales(random)
  const disk = disks[seed % 3] ?? 'own'
  const files = mkdtempSync(join(tmpdir(), 'vendorctl-outputs-'))
  const outputs = disk === 'own' ? undefined : files
  const start = (_: unknown, place: number) =>
    startNights(sales, {share: () => marksOf(`${seed}-web-${place}`), ...(outputs && {outputs})})
  const machines = Array.from({length: 3}, start)
  const basis: ExportFlags = seed % 4 < 2 ? {} : {'time-basis': 'utc', late: '13h'}
  const flags =
    seed % 2 === 0 ? named('all.ndjson', {...basis, append: true}) : named('tx-{date}-{time}.ndjson', {...basis})
  let killed = 0
  let at = first
  try {
    for (let night = 0; night < 7; night++) {
      at = first + night * day + pickInteger(random, -2, 9) * hour
      const place = pickInteger(random, 0, 2)
      if (disk === 'pods') {
        machines[place]?.remove()
        machines[place] = start(undefined, place)
      }
      const kill = pick(random, kills)
      const request = pickInteger(random, 0, 12)
      const ended = await machines[place]?.run({at, flags, kill: kill && {at: kill, request}})
      if (ended === 'killed') killed++
    }

    for (const [place, machine] of machines.entries()) await machine.run({at: at + day + place * hour, flags})
    const folders = outputs ? [outputs] : machines.map(({folder}) => folder)
    const found = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ndjson'))
        .flatMap((name) => idsIn(join(folder, name))),
    )
    return {
      found: sorted(found),
      expected: arrivedBy(sales, at + day + 2 * hour),
      notices: machines.flatMap(({notices}) => notices),
      killed,
    }
  } finally {
    for (const machine of machines) machine.remove()
    rmSync(files, {recursive: true, force: true})
  }
}

function idsIn(path: string): number[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => Number((JSON.parse(line) as {id: string}).id.slice(1)))
}
