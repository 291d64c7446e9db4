import {expect, test} from 'vitest'
import {liveThrough} from '../cli/history-of-nights.js'

const [histories, seed] = ['NIGHTS', 'SEED'].map((name) => Number(process.env[`TORTURE_${name}`]))

test('named exports hold and deliver every record once, night after night', async () => {
  const first = seed || 1
  const wrong: number[] = []
  let killed = 0
  let records = 0
  for (let one = first; one < first + (histories || 1_000); one++) {
    const {found, expected, left, delivered, killed: here} = await liveThrough(one)
    killed += here
    records += expected.length
    const isRight = [found, delivered].every((ids) => ids.join() === expected.join())
    if (!isRight || left.length > 0) wrong.push(one)
  }

  process.stdout.write(`seeds from ${first}: ${histories || 1_000} histories, ${killed} kills, ${records} records\n`)
  process.stdout.write(`${wrong.length} are not as they must be: ${wrong.join(' ')}\n`)
  expect(wrong).toEqual([])
})
