import {expect, test} from 'vitest'
import {createSyncProgress} from '../../../src/cli/mirror/present-sync.js'

test('progress within a list has its own rate and time left', () => {
  const shown: string[] = []
  let now = 0
  const show = createSyncProgress(
    (text) => shown.push(text),
    () => now,
  )
  show({what: 'sites', page: 1, totalPages: 1, rows: 9})
  now = 50_000
  show({what: 'machines', page: 1, totalPages: 5, rows: 100})
  now = 54_000

  show({what: 'machines', page: 3, totalPages: 5, rows: 300})

  expect(shown).toEqual([
    'sites · page 1 of 1 · 9 rows',
    'machines · page 1 of 5 · 100 rows',
    'machines · page 3 of 5 · 300 rows · 50 rows/s · 4 s left',
  ])
})
