import {describe, expect, test} from 'vitest'
import type {JsonRecord} from '../../src/values/json.js'
import {failureOf} from '../support/client.js'
import {ordinary} from './selections.js'
import {header, site as siteLine} from './sites.js'
import {useUndoableRun} from './undoable-run.js'

const used = useUndoableRun()
const {run, undo, site, requests} = used
type Kind = 'site' | 'machine' | 'selection'
const stored = (kind: Kind, id: number): JsonRecord => used.sandbox.store.find(kind, id) ?? {}
const isDeleted = (kind: Kind, id: number) => used.sandbox.store.find(kind, id) === undefined

const lineOf = (name: string) => siteLine(name, 201).replace(',3,', ',101,')

/** Creates sites of these names. */
async function createSites(...names: string[]) {
  const {runId, outcomes} = await run('sites.create', [header, ...names.map(lineOf)])
  return {runId, ids: outcomes.map(({id}) => Number(id))}
}

describe('a run that created sites', () => {
  test('is undone by their deletion', async () => {
    const {runId, ids} = await createSites('One', 'Two')

    const report = await undo(runId)

    expect(report).toMatchObject({operation: 'sites.delete', exit: 'ok', rows: {applied: 2}, plan: {deletions: 2}})
    expect(used.sent.at(-1)).toContain(`"body":[{"id":${ids[0]}},{"id":${ids[1]}}]`)
    expect(ids.map((id) => isDeleted('site', id))).toEqual([true, true])
  })

  test('says what is gone already, and deletes the rest', async () => {
    const {runId, ids} = await createSites('One', 'Two', 'Three')
    const [one = 0] = ids
    used.sandbox.store.remove('site', one)

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, comparison: {unchanged: 1}})
    expect(report.comparison?.changes).toHaveLength(2)
    expect(ids.map((id) => isDeleted('site', id))).toEqual([true, true, true])
  })

  test('leaves and names what was changed since, and what machines stand at', async () => {
    const {runId, ids} = await createSites('One', 'Two', 'Three', 'Four')
    const [one = 0, two = 0, three = 0] = ids
    used.sandbox.store.update('site', one, {...site(one), name: 'Theirs'}, {})
    used.sandbox.store.update('site', two, {...site(two), timeZone: 'UTC'}, {})
    used.sandbox.store.update('machine', 5001, {...stored('machine', 5001), siteId: three}, {site_id: three})

    const report = await undo(runId)

    expect(report).toMatchObject({exit: 'incomplete', rows: {applied: 1}})
    expect(report.entries.map(({message}) => message)).toEqual([
      `run ${runId} line 2 is not undone: site ${one} name is now "Theirs"; the run created it with "One"`,
      `run ${runId} line 3 is not undone: site ${two} timeZone is now "UTC"; the run created it with null`,
      `run ${runId} line 4 is not undone: site ${three} has 1 machine (5001) by now`,
    ])
    expect(ids.map((id) => isDeleted('site', id))).toEqual([false, false, false, true])
  })

  test('deletes nothing where all of it is in the way', async () => {
    const {runId, ids} = await createSites('One')
    used.sandbox.store.update('site', ids[0] ?? 0, {...site(ids[0] ?? 0), name: 'Theirs'}, {})

    const failure = await failureOf(undo(runId))

    expect(failure).toMatchObject({code: 'UNDO_CONFLICT', exit: 'incomplete', entries: [{code: 'CHANGED_SINCE'}]})
    expect(requests()['sites.delete']).toBeUndefined()
  })

  test('that was undone already has nothing to do', async () => {
    const {runId} = await createSites('One', 'Two')
    await undo(runId)

    const again = await undo(runId)

    expect(again).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 2}})
    expect(requests()['sites.delete']).toBe(1)
  })
})

test('created selections are deleted, whatever was sold meanwhile', async () => {
  const names = Object.keys(ordinary).filter((name) => name !== 'tax')
  const cells = names.map((name) => ordinary[name as keyof typeof ordinary])
  const lines = [`machineId,selectionNumber,${names.join()}`, `5001,Z1,${cells.join()}`, `5001,Z2,${cells.join()}`]
  const {runId, outcomes} = await run('selections.create', lines)
  const [first = 0, second = 0] = outcomes.map(({id}) => Number(id))
  used.sandbox.store.update('selection', first, {...stored('selection', first), count: 3}, {})
  used.sandbox.store.update('selection', second, {...stored('selection', second), price: 9}, {})

  const report = await undo(runId)

  expect(report).toMatchObject({operation: 'selections.delete', exit: 'incomplete', rows: {applied: 1}})
  expect([first, second].map((id) => isDeleted('selection', id))).toEqual([true, false])
})

test('created role rights are deleted by three false flags', async () => {
  const known = used.sandbox.store.read('role_right').map(({roleId, rightId}) => `${roleId} ${rightId}`)
  const rightId = Array.from({length: 99}, (_, index) => index + 1).find((id) => !known.includes(`61 ${id}`)) ?? 0
  const lines = ['roleId,rightId,canView,canEdit,canExecute', `61,${rightId},true,false,false`]
  const {runId, outcomes} = await run('role-rights.create', lines)
  const id = Number(outcomes.at(0)?.id)

  const report = await undo(runId)

  expect(report).toMatchObject({operation: 'role-rights.update', exit: 'ok', rows: {applied: 1}, plan: {deletions: 1}})
  expect(used.sandbox.store.find('role_right', id)).toBeUndefined()
})
