import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openCheckpoint} from '../../../src/reports/export/checkpoint.js'
import {makeFolder} from '../../support/folder.js'

test('a checkpoint holds what was kept, and nothing in the place of what was not', ({onTestFinished}) => {
  const state = openCheckpoint(join(makeFolder(onTestFinished), 'a.db'))
  onTestFinished(() => state.close())
  const begun = {identity: '{"a":1}', frozen: '{}'}
  const place = {partition: 1, page: 1, size: 5, byteOffset: 0, bytes: 9, rows: 2, records: 1, sha256: 'ab', keys: []}

  const none = state.facts()
  state.begin(begun, '[]')
  const first = state.facts()
  state.commit(place, {columns: '["id"]', lost: '[]', requests: 3, probes: 1})
  state.startedAt(5)
  state.seal('{}')

  expect(none).toBeUndefined()
  expect(first).toEqual({...begun, windows: '[]'})
  expect(state.facts()).toEqual({...first, columns: '["id"]', lost: '[]', startedAt: 5, manifest: '{}'})
  expect(state.counts()).toEqual({requests: 3, probes: 1})
})
