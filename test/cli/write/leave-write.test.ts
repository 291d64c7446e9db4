import {PassThrough} from 'node:stream'
import {expect, onTestFinished, test, vi} from 'vitest'
import {installSignals, type Left} from '../../../src/cli/terminal/signals.js'
import {createPerson} from '../../../src/cli/write/write-person.js'

type Shown = Parameters<typeof createPerson>[0]

/** What two signals leave behind, the second a second after the first. */
function leave(): Left[] {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(new PassThrough() as unknown as typeof process.stdin)
  onTestFinished(() => void vi.restoreAllMocks())
  const known = new Set(process.listeners('SIGINT'))
  const left: Left[] = []
  let now = 0
  installSignals(
    (_code, each) => left.push(each),
    () => now,
  )
  const [handle] = process.listeners('SIGINT').filter((each) => !known.has(each))
  for (now of [0, 1_000]) handle?.('SIGINT')
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
  return left
}

test('rows that were skipped when the run stopped are not called answered, and the run is named', () => {
  const progress = {update() {}, end() {}}
  const shown = {
    flags: {},
    notes: {},
    messages: {note() {}},
    progress,
    runs: () => ({resumes: undefined, runId: 'one'}),
  }
  const person = createPerson(shown as unknown as Shown)
  const [first, second] = [1, 2].map((number) => ({number, places: [number]})) as [never, never]
  const watched = person.watch([first, second])
  watched.answered({set: first, answer: {fate: 'applied', ids: []} as never})
  watched.answered({set: second, answer: {fate: 'skipped', why: 'stopped'}})

  const [left] = leave()

  expect(left?.message).toMatch(/^Stopped immediately: 1 of 2 rows were answered;.* runs resume one$/s)
  expect(left?.runId).toBe('one')
})
