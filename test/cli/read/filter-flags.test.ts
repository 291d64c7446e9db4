import {expect, test} from 'vitest'
import {filterFlags} from '../../../src/cli/read/filter-flags.js'

test('a command has the flags of the filters that its route honours, and no others', () => {
  expect(Object.keys(filterFlags('sites.list')).sort()).toEqual(['account', 'include-deleted', 'organization', 'site'])
  expect(Object.keys(filterFlags('alerts.codes'))).toEqual([])
  expect(Object.keys(filterFlags('alerts.list')).sort()).toEqual(
    ['alert', 'code', 'end', 'machine', 'organization', 'site', 'start'].sort(),
  )
})
