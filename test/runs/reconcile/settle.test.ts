import {expect, test} from 'vitest'

import {toSettle} from '../../../src/runs/reconcile/reconcile-set.js'
import {doubtSince} from '../../../src/runs/reconcile/set-in-doubt.js'

const now = {boot: 'one', milliseconds: 1_000_000}
const doubt = (before: number, boot = 'one') => ({doubt: {boot, milliseconds: 1_000_000 - before}})
const sent = (before: number, boot = 'one') => ({sent: {boot, milliseconds: 1_000_000 - before}})

test.each([
  ['a fresh doubt', doubt(0), 120_000, [0, 30_000, 120_000], 120_000],
  ['a doubt of a while ago', doubt(50_000), 120_000, [0, 70_000], 70_000],
  ['a doubt older than the settle time', doubt(500_000), 120_000, [0], -380_000],
  ['no settle time', doubt(0), 0, [0], 0],
  ['a fraction of a second', doubt(0), 400, [0, 100, 400], 400],
  ['a doubt before the machine was started anew', doubt(500_000, 'two'), 120_000, [0, 30_000, 120_000], 120_000],
  [
    'a machine that does not tell its starts apart',
    {doubt: {boot: undefined, milliseconds: 500_000}},
    120_000,
    [0, 30_000, 120_000],
    120_000,
  ],
  ['a journal of another machine', {}, 120_000, [0, 30_000, 120_000], 120_000],
  ['a program that died long ago counts from the longest request', sent(500_000), 120_000, [0], -320_000],
  ['a program that died a moment ago counts from now', sent(10_000), 120_000, [0, 30_000, 120_000], 120_000],
  ['sent before the machine was started anew', sent(500_000, 'two'), 120_000, [0, 30_000, 120_000], 120_000],
])('%s', (_, part, milliseconds, looks, settled) => {
  const settle = toSettle(part, now, milliseconds)

  expect(settle.probes.map((at) => at - now.milliseconds)).toEqual(looks)
  expect(settle.settled - now.milliseconds).toBe(settled)
})

test('the doubt of a program that died settles no earlier once it is written down', () => {
  const died = sent(100_000)

  const doubt = doubtSince(died)

  expect(doubt && toSettle({...died, doubt}, now, 120_000)).toEqual(toSettle(died, now, 120_000))
})
