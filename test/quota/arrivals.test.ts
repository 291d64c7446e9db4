import fc from 'fast-check'
import {expect, test} from 'vitest'
import {limits, pace} from '../../src/contract/index.js'
import {createMemoryLedger} from '../../src/quota/ledger.js'
import {createLimiter} from '../../src/sandbox/limiter.js'
import {createHandTimes} from '../support/times.js'

/** Milliseconds of one request: before it asks for a permit, on its way to the service, and on its way back. */
type Request = {pause: number; there: number; back: number}

/** While the service answers nobody, in milliseconds after the start. */
type Standstill = {from: number; length: number}

const ask = {rate: pace.requestsPerSecond, burst: pace.burst, perDay: limits.requestsPerDay, floor: 0}

/** Lets askers send their requests one after the other, all through one ledger; how many the service refused. */
function refusalsOf(askers: readonly (readonly Request[])[], standstills: readonly Standstill[] = []): number {
  const times = createHandTimes()
  const start = times.milliseconds
  const whenAtWork = (at: number) =>
    standstills.reduce((when, {from, length}) => (when >= from && when < from + length ? from + length : when), at)
  const ledger = createMemoryLedger(times)
  const limiter = createLimiter(limits, {now: times.now, monotonic: () => times.milliseconds, sleep: async () => {}})
  const events: {at: number; happen: () => void}[] = []
  const after = (milliseconds: number, happen: () => void) =>
    events.push({at: times.milliseconds + milliseconds, happen})
  let refused = 0

  const arrive = () => {
    try {
      limiter.take('key')
    } catch {
      refused += 1
    }
  }
  const send = ([request, ...rest]: readonly Request[]): void => {
    if (!request) return
    after(request.pause, () => {
      const permit = ledger.take(ask)
      if (!permit.granted) return
      const arrival = whenAtWork(times.milliseconds - start + permit.waitMilliseconds + request.there)
      after(arrival - (times.milliseconds - start), () => {
        arrive()
        after(request.back, () => {
          ledger.arrive(permit)
          send(rest)
        })
      })
    })
  }
  for (const requests of askers) send(requests)
  while (events.length > 0) {
    const next = events.reduce((first, event) => (event.at < first.at ? event : first))
    events.splice(events.indexOf(next), 1)
    times.pass(next.at - times.milliseconds)
    next.happen()
  }
  return refused
}

const quick = {pause: 0, there: 1, back: 1}

test('a service that stands still while requests are on their way to it is not asked too often after it', () => {
  const stalled = [{...quick, there: 400}, ...Array.from({length: 12}, () => quick)]

  expect(refusalsOf(Array.from({length: 16}, () => stalled))).toBe(0)
})

test('however often it stands still, and however long requests are on their way, none is refused', () => {
  const milliseconds = fc.integer({min: 0, max: 10})
  const quickOnes = fc.array(fc.record({pause: milliseconds, there: milliseconds, back: milliseconds}), {
    minLength: 12,
    maxLength: 30,
  })
  const first = fc.record({pause: milliseconds, there: fc.integer({min: 0, max: 2_000}), back: milliseconds})
  const askers = fc.array(
    fc.tuple(first, quickOnes).map(([slow, others]) => [slow, ...others]),
    {minLength: 8, maxLength: 24},
  )
  const stills = fc.array(fc.record({from: fc.integer({min: 0, max: 5_000}), length: fc.integer({max: 800, min: 0})}))

  fc.assert(
    fc.property(askers, stills, (some, standstills) => refusalsOf(some, standstills) === 0),
    {numRuns: 100, seed: 20},
  )
})
