import {expect, test} from 'vitest'
import {createPace, createShare, startProgress} from '../../../src/cli/terminal/progress.js'

/** A pace at moments that are given, in seconds. */
function paceAt(...seconds: number[]) {
  const left = seconds.map((each) => each * 1_000)
  return createPace(() => left.shift() ?? 0)
}

test('rate and time left are said once they can be told', () => {
  const pace = paceAt(0, 0, 1, 10)

  expect(pace(0, 0)).toBe('0 rows')
  expect(pace(500, 0.1)).toBe('500 rows')
  expect(pace(5_000, 0.25)).toBe('5,000 rows · 500 rows/s · 30 s left')
})

test('what an earlier run has done counts for neither', () => {
  const pace = paceAt(0, 0, 10)

  expect(pace(90_000, 0.9)).toBe('90,000 rows')
  expect(pace(91_000, 0.95, 92_000)).toBe('91,000 of 92,000 rows · 100 rows/s · 10 s left')
})

test('long times are said in minutes', () => {
  const pace = paceAt(0, 0, 60)

  pace(0, 0)
  expect(pace(600, 0.1)).toContain('· 9 min left')
})

test('in the middle of a window only its pages so far are done', () => {
  const share = createShare()

  expect(share({window: 1, page: 1, totalPages: 4, done: 0.5})).toBe(0.125)
  expect(share({window: 1, page: 4, totalPages: 4, done: 0.5})).toBe(0.5)
  expect(share({window: 2, page: 1, totalPages: 2, done: 1})).toBe(0.75)
  expect(share({window: 3, page: 0, totalPages: 0, done: 1})).toBe(1)
})

test('a verbose log has the latest progress every 30 seconds, also while nothing comes, and nothing after the end', async () => {
  const lines: string[] = []
  let wake: () => void = () => undefined
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      expect(milliseconds).toBe(30_000)
      wake = resolve
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const pass = async () => {
    wake()
    await new Promise(setImmediate)
  }
  const print = (text: string) => void lines.push(text)
  const options = {quiet: false, verbose: true, sharesTerminal: false, clock: {sleep}, print}
  const progress = await startProgress(options)
  const unasked = await startProgress({...options, verbose: false})

  unasked.update('nobody asked')
  progress.update('Page 1')
  progress.update('Page 2')
  await pass()
  await pass()
  progress.update('Page 3')
  await pass()
  progress.end()
  await pass()

  expect(lines).toEqual(['Page 2', 'Page 2', 'Page 3'])
})
