import {mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'
import {runOnce} from './run-once.js'

/** Fixed moments, so that every run asks the same: four windows. */
const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}

/** Real kills, at points as `crash-points.cjs` counts them; what the simulation plays of one format, of each. */
test.for(['x.csv', 'x.tsv.gz', 'x.ndjson', 'x.json.gz'])(
  'an export to %s that is killed again and again ends in the same bytes',
  {timeout: 300_000},
  async (name, {folder, start}) => {
    const sandbox = await start({batches: 120})
    const [home, whole] = [join(folder, 'home'), join(folder, `whole-${name}`)]
    mkdirSync(home)
    await exportHere({sandbox, ...range, path: whole, flags: {'page-size': 25, 'pages-in-flight': 1}})
    const words = ['reports', 'transactions', '--start', range.start, '--end', range.end, '--page-size', '25']
    const order = [...words, '--output-file', join(home, name), '--pages-in-flight', '5']

    const ends: (string | null)[] = []
    for (const point of [3, 11, 17, 30, 12, 24]) ends.push((await runOnce(sandbox, order, home, {point})).signal)
    const last = await runOnce(sandbox, order, home)

    expect(ends.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThan(2)
    expect(last).toMatchObject({exitCode: 0})
    expect(readFileSync(join(home, name)).equals(readFileSync(whole))).toBe(true)
    expect(readdirSync(home).sort()).toEqual(['state', name, `${name}.manifest.json`].sort())
  },
)
