import {describe, expect, test} from 'vitest'
import {renderDiffLines} from '../../../src/cli/write/diff-view.js'
import {writeOperation} from '../../../src/contract/index.js'
import {describeSums, findChanged, toDiffLines} from '../../../src/runs/plan/plan-view.js'
import type {RowChange} from '../../../src/runs/rows/phases.js'
import {toNumber} from '../../../src/values/json.js'

const change = (more: Partial<RowChange>): RowChange => ({line: 2, id: 1, field: 'name', from: 'A', to: 'B', ...more})
const plain = {isTTY: false} as NodeJS.WriteStream

describe('changes as people read them', () => {
  test('those of one place stand together, each with its sign', () => {
    const lines = toDiffLines([
      change({place: 'site 1', name: 'One'}),
      change({id: 2, place: 'site 2', field: 'deleted', from: false, to: true}),
      change({id: 3, place: 'site 2', field: 'isActive', from: false, to: true}),
      change({id: 30, place: 'site 1', field: 'notes', from: null, to: ''}),
    ])

    expect(renderDiffLines(lines, plain)).toBe(
      'site 1\n  ~ 1   One  name      A → B\n  + 30       notes     ""\nsite 2\n  - 2        deleted\n  ~ 3        isActive  false → true\n',
    )
  })

  test('no text of a record acts on the terminal', () => {
    const lines = toDiffLines([change({name: '\u001b[31mRed', to: 'a\nb\u202e'})])

    expect(renderDiffLines(lines, plain)).toBe('~ 1  ^[[31mRed  name  A → a\\nb\\u202e\n')
  })

  test.for([
    ['1.10', '1.15', ['1.1', '5', '']],
    ['Ferry Quay', 'Ferry Kay', ['Ferry ', 'K', 'ay']],
    ['aa', 'aaa', ['aa', 'a', '']],
    ['', 'new', ['', 'new', '']],
    ['👍a', '👎a', ['', '👎', 'a']],
  ] as const)('of %j → %j the part that differs is found', ([from, to, [start, changed, end]]) => {
    expect(findChanged(from, to)).toEqual({start, changed, end})
  })

  test('amounts are added up exactly, and texts are not', () => {
    const lines = toDiffLines([
      change({field: 'price', from: toNumber('0.10'), to: toNumber('0.30')}),
      change({field: 'price', from: toNumber('2.20'), to: toNumber('1.90')}),
      change({field: 'price', from: null, to: toNumber('5')}),
      change({}),
    ])

    expect(describeSums(lines, writeOperation('selections.update'))).toEqual([
      'price 2.30 → 2.20 (-0.10), of 2 selections',
    ])
  })
})
