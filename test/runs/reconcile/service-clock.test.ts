import {expect, test} from 'vitest'
import {toSentSpan} from '../../../src/runs/reconcile/judge-moment.js'

const sent = {boot: 'a', milliseconds: 1_000}
const serverTime = 10_000_000

test.for([
  ['both clocks agree', {boot: 'a', milliseconds: 31_000}, 80_000, {from: 9_968_000, to: 9_968_000}],
  ['the machine slept for a minute', {boot: 'a', milliseconds: 31_000}, 140_000, {from: 9_908_000, to: 9_968_000}],
  ['the clock was set back by 20 seconds', {boot: 'a', milliseconds: 31_000}, 60_000, {from: 9_968_000, to: 9_988_000}],
  [
    'the clock was set back before the request',
    {boot: 'a', milliseconds: 31_000},
    40_000,
    {from: 9_968_000, to: 9_968_000},
  ],
  ['the machine was restarted', {boot: 'b', milliseconds: 5}, 80_000, {from: 9_968_000, to: 9_968_000}],
  ['no clock is left', {boot: 'b', milliseconds: 5}, 40_000, undefined],
] as const)('%s', ([, moment, wall, span]) => {
  expect(toSentSpan({sent, label: 50_000}, {moment, wall}, serverTime)).toEqual(span)
})
