import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createHierarchy, type Level, levels, toRow, toTreeRow} from '../../../src/reports/read/hierarchy.js'
import type {JsonRecord} from '../../../src/values/json.js'

type World = Readonly<Record<Level, readonly JsonRecord[]>>

const world: World = {
  organization: [
    {id: 1, name: 'One'},
    {id: 2, name: 'Two'},
  ],
  account: [
    {id: 10, organizationId: 1, name: 'Ten'},
    {id: 11, organizationId: 7, name: 'Eleven'},
  ],
  site: [
    {id: 100, accountId: 10, orgId: 1, name: 'Hundred'},
    {id: 101, accountId: 12, orgId: 1, name: 'Orphan'},
    {id: 102, accountId: null, orgId: 2, name: 'Alone'},
  ],
  machine: [
    {id: 1000, siteId: 100, organizationId: 1, name: 'A'},
    {id: 1001, siteId: 100, organizationId: 1, name: 'B'},
    {id: 1002, siteId: 999, organizationId: 2, name: 'C'},
    {id: 1003, siteId: null, organizationId: 8, name: 'D'},
  ],
}

function build(depth: Level, narrowedTo: Level = 'organization', from: World = world) {
  const hierarchy = createHierarchy(depth, narrowedTo)
  for (const level of levels) for (const record of from[level]) hierarchy.add(level, record)
  return hierarchy
}

const drawn = (depth: Level, branches = true) =>
  Array.from(build(depth).lines(), (line) => {
    const {name, accounts, sites, machines} = toTreeRow(line, branches)
    return [name, [accounts, sites, machines].map((count) => count ?? '-').join(' ')].join(': ')
  })

describe('the hierarchy', () => {
  test('shows every record below what it belongs to, known or not', () => {
    expect(drawn('site')).toEqual([
      'One: 1 2 2',
      '├─ Ten: - 1 2',
      '│  └─ Hundred: - - 2',
      '└─ unknown account 12: - 1 0',
      '   └─ Orphan: - - 0',
      'Two: 0 1 1',
      '└─ unknown account: - 1 1',
      '   ├─ Alone: - - 0',
      '   └─ unknown site 999: - - 1',
      'unknown organization 7: 1 0 0',
      '└─ Eleven: - 0 0',
      'unknown organization 8: 0 0 1',
      '└─ unknown account: - 0 1',
      '   └─ unknown site: - - 1',
    ])
    expect(drawn('account', false)).toEqual([
      'One: 1 2 2',
      '  Ten: - 1 2',
      '  unknown account 12: - 1 0',
      'Two: 0 1 1',
      '  unknown account: - 1 1',
      'unknown organization 7: 1 0 0',
      '  Eleven: - 0 0',
      'unknown organization 8: 0 0 1',
      '  unknown account: - 0 1',
    ])
  })

  test('leaves out what leads to none of the records that a filter names', () => {
    const names = (narrowedTo: Level) => Array.from(build('account', narrowedTo).lines(), ({node}) => node.name)

    expect(names('account')).toEqual(['One', 'Ten', null, null, 'Eleven'])
    expect(names('site')).toEqual(['One', 'Ten', null, 'Two', null])
  })

  test('has a row for each line, with the ids above it', () => {
    const rows = Array.from(build('machine').lines(), toRow)

    expect(rows.find(({name}) => name === 'B')).toEqual({
      ...{level: 'machine', id: 1001, name: 'B', organizationId: 1, accountId: 10, siteId: 100},
      ...{accounts: null, sites: null, machines: null, isKnown: true},
    })
  })

  test('nests in JSON', () => {
    expect(build('site', 'site').nested()[0]).toEqual({
      ...{id: 1, name: 'One', isKnown: true, counts: {accounts: 1, sites: 2, machines: 2}},
      accounts: [
        {
          ...{id: 10, name: 'Ten', isKnown: true, counts: {sites: 1, machines: 2}},
          sites: [{id: 100, name: 'Hundred', isKnown: true, counts: {machines: 2}}],
        },
        {
          ...{id: 12, name: null, isKnown: false, counts: {sites: 1, machines: 0}},
          sites: [{id: 101, name: 'Orphan', isKnown: true, counts: {machines: 0}}],
        },
      ],
    })
  })

  test('adds up at every level, whatever records belong to', () => {
    const ids = fc.constantFrom(null, 1, 2, 3, 4)
    const records = (parents: readonly string[]) =>
      fc
        .array(fc.tuple(...parents.map(() => ids)), {maxLength: 12})
        .map((rows) =>
          rows.map((row, at) => ({id: at + 1, ...Object.fromEntries(row.map((id, place) => [parents[place], id]))})),
        )
    const worlds = fc.record({
      organization: records([]),
      account: records(['organizationId']),
      site: records(['accountId', 'orgId']),
      machine: records(['siteId', 'organizationId']),
    })

    fc.assert(
      fc.property(worlds, fc.constantFrom(...levels), (some, depth) => {
        const rows = Array.from(build(depth, 'organization', some).lines(), toRow)
        const sum = (level: Level, count: string) =>
          rows.filter((row) => row['level'] === level).reduce((total, row) => total + Number(row[count]), 0)
        const shown = levels.slice(0, levels.indexOf(depth) + 1)

        for (const level of shown) {
          expect(rows.filter((row) => row['level'] === level && row['isKnown'] === true)).toHaveLength(
            some[level].length,
          )
          for (const below of levels.slice(levels.indexOf(level) + 1)) {
            expect(sum(level, `${below}s`)).toBe(some[below].length)
          }
        }
      }),
    )
  })
})
