import {expect, test} from 'vitest'
import {tortureExports} from './exports-rig.js'

const [kills, seed, workers] = ['KILLS', 'SEED', 'WORKERS'].map((name) => Number(process.env[`TORTURE_${name}`]))

test('exports that are killed and gone on with are the same bytes', async () => {
  const tally = await tortureExports({
    kills: kills || 1_000,
    seed: seed || 1,
    workers: workers || 2,
    onFile: ({kills: done, files, wrong}) => {
      if (files % 20 === 0) process.stdout.write(`${done} kills, ${files} files, ${wrong.length} wrong\n`)
    },
  })

  process.stdout.write(`seed ${seed || 1}: ${tally.kills} kills, ${tally.atPoints} of them at named points\n`)
  process.stdout.write(`faults: ${tally.faultsFired}; runs by exit code: ${JSON.stringify(tally.exits)}\n`)
  process.stdout.write(`${tally.files} files finished, ${tally.readAgain} of them with windows read again\n`)
  process.stdout.write(`${tally.wrong.length} are not as they must be\n`)
  expect(tally.wrong).toEqual([])
})
