import {expect, test} from 'vitest'
import type {BudgetAnswer} from '../../src/quota/budget.js'
import {createMemoryLedger} from '../../src/quota/ledger.js'
import {createHandTimes} from '../support/times.js'

const ask = {rate: 20, burst: 100, perDay: 50_000, floor: 0, isShared: true}
const answer: BudgetAnswer = {
  ...{store: 'one', serverTime: Date.UTC(2024, 6, 30, 12), waits: [], retry: 0, others: [], keptOfDay: 0, machines: 2},
  ...{share: 0.5, shareOfDay: 5_000, slowFor: 0, refusedFor: null, refusedIs: null},
}

/** A machine whose store answered once, with this share, and not since: what its requests get from then on. */
function leaveAlone(last: Partial<BudgetAnswer>) {
  const times = createHandTimes()
  const ledger = createMemoryLedger(times)
  const answerNext = (given: BudgetAnswer | undefined) => {
    const asking = ledger.startAsk(ask, {})
    if (asking) ledger.finishAsk(asking.number, given)
  }
  answerNext({...answer, ...last})
  /** Requests that may be sent in so many seconds, one every 10 milliseconds at most, while the store is asked in vain. */
  const sentIn = (seconds: number) => {
    let sent = 0
    let why: string | undefined
    for (let passed = 0; passed < seconds * 1_000; passed += 10) {
      answerNext(undefined)
      const permit = ledger.take(ask)
      if (permit.granted) sent += 1
      else why = permit.why
      times.pass(10)
    }
    return {sent, why}
  }
  return {sentIn, answerNext, take: () => ledger.take(ask), times}
}

test('a store that is away: half of the share for five minutes, then nothing', () => {
  const {sentIn} = leaveAlone({})

  const atHalf = (ask.rate * answer.share) / 2

  const [patient, alone, late, ended] = [sentIn(2), sentIn(297), sentIn(2), sentIn(60)]

  expect(patient).toEqual({sent: 0, why: 'lease'})
  expect(alone.why).toBe('lease')
  expect(alone.sent).toBeGreaterThan(0.98 * 297 * atHalf)
  expect(alone.sent).toBeLessThanOrEqual(297 * atHalf + 1)
  expect(late.why).toBe('unreachable')
  expect(ended).toEqual({sent: 0, why: 'unreachable'})
})

test.each([
  ['a machine without a share', {share: 0}, 0],
  ['a machine whose share of the day is used up', {shareOfDay: 7}, 7],
])('%s sends no more than that', (_who, last, most) => {
  const {sentIn} = leaveAlone(last)

  expect(sentIn(60)).toEqual({sent: most, why: 'unreachable'})
})

test('the next answer of the store ends it', () => {
  const {sentIn, answerNext, take, times} = leaveAlone({})
  sentIn(400)
  times.pass(300)

  answerNext({...answer, waits: [0]})

  expect(take()).toMatchObject({granted: true, time: expect.any(Number)})
})
