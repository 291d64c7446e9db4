import {expect, test} from 'vitest'
import {createSeenKeys} from '../../src/reports/export/seen-keys.js'

const window = (from: number, to: number) => ({from: `2026-01-0${from}T00:00:00`, to: `2026-01-0${to}T00:00:00`})

test('a window that is read again after later ones still knows its records', () => {
  const seen = createSeenKeys()
  seen.addWindow(window(1, 2), ['B1'])
  seen.addWindow(window(2, 3), ['B2'])

  seen.startWindow(window(5, 6), ['B5'], window(1, 2).from)
  seen.startWindow(window(1, 2))
  expect(seen.find('B1', false)).toBe('edge')
  seen.startWindow(window(6, 7))

  expect(['B5', 'B2', 'B1'].map((key) => seen.find(key, false))).toEqual(['edge', undefined, undefined])
})
