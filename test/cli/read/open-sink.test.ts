import {expect, test} from 'vitest'
import {forTerminal} from '../../../src/cli/read/open-sink.js'
import {runColumns} from '../../../src/cli/read/own-columns.js'

test('a list of runs says first what each run did: an export may have no file', () => {
  const names = forTerminal('run', runColumns).map(({name}) => name)

  expect(names.slice(0, 4)).toEqual(['id', 'state', 'command', 'file'])
  expect([...names].sort()).toEqual(runColumns.map(({name}) => name).sort())
})
