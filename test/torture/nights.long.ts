import {rmSync} from 'node:fs'
import {expect, test} from 'vitest'
import {liveThrough} from '../cli/history-of-nights.js'
import {liveOnMachines} from '../cli/shared-history.js'
import {marksDatabase, marksOf} from '../support/shared-marks.js'
import {playShift} from './shift-rig.js'

const [given, seed] = ['NIGHTS', 'SEED'].map((name) => Number(process.env[`TORTURE_${name}`]))
const first = seed || 1

test('named exports hold every record once, night after night', async () => {
  const histories = given || 1_000
  const wrong: number[] = []
  let killed = 0
  let records = 0
  for (let one = first; one < first + histories; one++) {
    const {found, expected, left, killed: here} = await liveThrough(one)
    killed += here
    records += expected.length
    if (found.join() !== expected.join() || left.length > 0) wrong.push(one)
  }

  process.stdout.write(`seeds from ${first}: ${histories} histories, ${killed} kills, ${records} records\n`)
  process.stdout.write(`${wrong.length} are not as they must be: ${wrong.join(' ')}\n`)
  expect(wrong).toEqual([])
})

test('named exports of machines that share their marks hold every record once', async () => {
  const histories = Math.min(given || 100, 300)
  const wrong: number[] = []
  let killed = 0
  for (let one = first; one < first + histories; one++) {
    const url = await marksDatabase()
    const lived = await liveOnMachines(one, (host) => marksOf(url, host))
    killed += lived.killed
    if (lived.found.join() !== lived.expected.join()) wrong.push(one)
  }

  process.stdout.write(`machines, seeds from ${first}: ${histories} histories, ${killed} kills\n`)
  process.stdout.write(`${wrong.length} are not as they must be: ${wrong.join(' ')}\n`)
  expect(wrong).toEqual([])
})

test('jobs deliver every record once and tell each failure once, night after night', async () => {
  const onNight = (text: string) => void process.stdout.write(`${text}\n`)

  const {wrong, folder, ...tally} = await playShift({nights: Math.min(given || 60, 60), seed: first, onNight})

  process.stdout.write(`seed ${first}: ${JSON.stringify(tally)}\n${wrong.length} wrong: ${wrong.join('\n')}\n`)
  if (wrong.length === 0) rmSync(folder, {recursive: true})
  else process.stdout.write(`kept: ${folder}\n`)
  expect(wrong).toEqual([])
})
