import {expect, test} from 'vitest'
import {torturePublished} from './published/rig.js'

const kills = Number(process.env['TORTURE_KILLS'] ?? 400)
const seed = Number(process.env['TORTURE_SEED'] ?? 1)
const workers = Number(process.env['TORTURE_WORKERS'] ?? 2)
const only = process.env['TORTURE_ONLY']

test(`${kills} kills of seed ${seed} over the published writes lose no row and apply none twice`, async () => {
  const started = performance.now()
  let told = 0
  const tally = await torturePublished({
    ...{kills, seed, workers, only},
    onRound: ({rounds, kills, wrong, kept}) => {
      if (wrong.length > told) process.stdout.write(`${wrong.slice(told, told + 4).join('\n')}\n${kept.at(-1)}\n`)
      told = wrong.length
      if (rounds % 20 === 0) process.stdout.write(`${rounds} rounds, ${kills} kills, ${wrong.length} wrong\n`)
    },
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${JSON.stringify({...tally, wrong: tally.wrong.length, seconds}, undefined, 2)}\n`)

  expect(tally.wrong).toEqual([])
  expect(tally.kills).toBeGreaterThanOrEqual(kills)
  expect(tally.faultsFired).toBeGreaterThan(0)
})
