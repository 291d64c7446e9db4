import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {compare, type Going, goOn, type Tally, writeRows} from './rig.js'
import {type Route, routes} from './routes.js'

const names = ['sites create', 'sites update', 'custom data', 'alerts create', 'alerts update', 'alerts clear']

/** Every point, killed there once and killed there again and again. */
test.each(routes.map((route, index): [string, Route] => [names[index] ?? '', route]))(
  '%s: a kill at every point loses no row and applies none twice',
  async (name, route) => {
    const sandbox = await startSandbox({limits: false, batches: 0, machines: 40, seed: 5})
    const tally: Tally = {kills: 0, rounds: 0, exits: {}, faultsFired: 0, rows: {}, wrong: [], kept: []}
    const play = async (label: string, pick: Going['pick']) => {
      const home = mkdtempSync(join(tmpdir(), 'vendorctl-points-'))
      try {
        const round = route(sandbox, `${name} ${tally.rounds++}`, 12)
        const file = await writeRows(round, home, 'csv')
        const going: Going = {round, home, file, name: label, pick, repeats: () => false}
        const last = await goOn(sandbox, going, tally)
        const before = tally.wrong.length
        if (last) compare(round, last, label, tally)
        if (tally.wrong.length > before) process.stdout.write(`${tally.wrong.slice(before, before + 3).join('\n')}\n`)
        return last
      } finally {
        rmSync(home, {recursive: true, force: true})
      }
    }

    const log = join(mkdtempSync(join(tmpdir(), 'vendorctl-log-')), 'points')
    await play(`${name} unharmed`, () => ({log}))
    const points = readFileSync(log, 'utf8').trim().split('\n')
    for (const [index, point] of points.entries()) {
      const kill = {atPoint: index + 1}
      await play(`${name} once at ${point}`, (step) => (step === 0 ? kill : undefined))
      await play(`${name} again and again at ${point}`, (step) => (step < 4 ? kill : undefined))
      if (index % 10 === 0) process.stdout.write(`${name}: ${index} of ${points.length}, ${tally.wrong.length} wrong\n`)
    }

    const kinds = [...new Set(points.map((point) => point.replace(/^\d+ /, '')))]
    process.stdout.write(`${name}: ${points.length} points (${kinds.join(', ')}), ${tally.kills} kills\n`)
    await sandbox.close()
    expect(tally.wrong).toEqual([])
    expect(tally.kills).toBeGreaterThanOrEqual(points.length)
  },
)
