import {expect, test} from 'vitest'
import {follow, through} from '../../../src/reports/export/follow-events.js'

test('what a consumer throws at an event is thrown into the work, through every step between them', async () => {
  const seen: unknown[] = []
  async function* work(): AsyncGenerator<string, string, void> {
    try {
      yield 'first'
      yield 'second'
    } catch (error) {
      seen.push(error)
      yield 'kept'
      throw error
    } finally {
      seen.push('closed')
    }
    return 'done'
  }
  const failure = new Error('no room')

  const events = through(work(), async (event) => [event, `after ${event}`])
  const ended = follow(events, (event) => {
    seen.push(event)
    if (event === 'second') throw failure
  })

  await expect(ended).rejects.toBe(failure)
  expect(seen).toEqual(['first', 'after first', 'second', failure, 'kept', 'after kept', 'closed'])
})
