import {expect, test} from 'vitest'
import {toSayWait} from '../../../src/cli/write/settle-doubt.js'

test('says each long wait once where no terminal shows it, and no short one', () => {
  const said: string[] = []
  const sayWait = toSayWait((text) => said.push(text))

  sayWait({set: 2, probe: 1, probes: 3, milliseconds: 0})
  for (const milliseconds of [30_000, 29_000, 28_000]) sayWait({set: 2, probe: 2, probes: 3, milliseconds})
  sayWait({set: 2, probe: 3, probes: 3, milliseconds: 90_000})
  sayWait({set: 3, probe: 2, probes: 2, milliseconds: 4_000})

  expect(said).toEqual([
    'Looking for the rows of set 2: look 2 of 3 in 30 s … (--settle)',
    'Looking for the rows of set 2: look 3 of 3 in 90 s … (--settle)',
  ])
})
