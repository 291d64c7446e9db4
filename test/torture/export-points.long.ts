import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {compareExport} from './compare-export.js'
import {runExportOnce} from './run-export.js'
import {createWholes, type Kind, startWorld, type Wholes} from './whole-exports.js'

const world = {batches: 120, seed: 7}
const kindOf = (name: string, pageSize: number): Kind => ({
  ...{name, pageSize, words: ['--page-size', String(pageSize)], rows: undefined, pages: 0},
  isCompressed: name.endsWith('.gz'),
})
const kinds = [kindOf('x.csv', 15), kindOf('x.json.gz', 20)]
const workers = Number(process.env['TORTURE_WORKERS'] || 2)

/** Every point that an uninterrupted run passes, by name. */
async function pointsOf(sandbox: Sandbox, folder: string, {name, words}: Kind): Promise<string[]> {
  const home = mkdtempSync(join(folder, 'log-'))
  const log = join(home, 'points')
  const ran = await runExportOnce({sandbox, home, name, words, log})
  expect(ran.exitCode, ran.stderr).toBe(0)
  return readFileSync(log, 'utf8').trimEnd().split('\n')
}

async function killAt(sandbox: Sandbox, folder: string, kind: Kind, point: number, label: string, wholes: Wholes) {
  const {name, words} = kind
  const wrong: string[] = []
  const home = mkdtempSync(join(folder, 'file-'))
  const killed = await runExportOnce({sandbox, home, name, words, kill: {point}})
  const ran = await runExportOnce({sandbox, home, name, words})
  if (ran.exitCode === 0) compareExport({home, name, label, whole: await wholes.digestsOf(kind)}, wrong)
  else wrong.push(`${label}: exit ${ran.exitCode}: ${ran.stderr}`)
  rmSync(home, {recursive: true, force: true})
  return {wrong, wasKilled: killed.signal === 'SIGKILL'}
}

test.each(kinds)('$name, killed at every point, is the same bytes', async (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-points-'))
  const wholes = await createWholes(join(folder, 'whole'), world)
  const sandbox = await startWorld(world)
  const wrong: string[] = []
  let [kills, next] = [0, 0]
  const points = await pointsOf(sandbox, folder, kind)
  const work = async () => {
    while (next < points.length) {
      const point = ++next
      const killed = await killAt(sandbox, folder, kind, point, `${kind.name} at ${points[point - 1]}`, wholes)
      wrong.push(...killed.wrong)
      if (killed.wasKilled) kills++
    }
  }

  try {
    await Promise.all(Array.from({length: workers}, work))
  } finally {
    await Promise.all([wholes.close(), sandbox.close()])
    rmSync(folder, {recursive: true, force: true})
  }

  const names = new Map<string, number>()
  for (const point of points) {
    const name = point.replace(/^\d+ /, '')
    names.set(name, (names.get(name) ?? 0) + 1)
  }
  process.stdout.write(`${kind.name}: ${kills} kills at ${points.length} points, ${wrong.length} wrong\n`)
  process.stdout.write(`${[...names].map(([name, count]) => `${name} x ${count}`).join(', ')}\n`)
  expect(wrong).toEqual([])
})
