import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const header = 'id,canView,canEdit,canExecute'
const update = (file: string, ...more: string[]) => ['role-rights', 'update', '-f', file, ...more]
const create = (file: string, ...more: string[]) => ['role-rights', 'create', '-f', file, '--yes', ...more]
const right = ({store}: Sandbox, id: number) => store.read('role_right').find((record) => record['id'] === id)

describe.concurrent('role rights', () => {
  test('whose flags are all false are deleted, counted apart from updates', async ({run, sandbox, home}) => {
    const before = right(sandbox, 6002)
    const file = write(home, 'r.csv', header, '6001,false,false,false', '6002,true,false,false', '6003,true,true,true')

    const dry = await run(update(file, '--dry-run'))
    const agreed = await run(update(file, '--yes'))
    const ran = await run(update(file, '--yes', '--confirm-count', '1', '--json'))
    const again = await run(update(file, '--yes', '--confirm-count', '1'))

    expect([dry, agreed, ran, again].map(({exitCode}) => exitCode)).toEqual([0, 2, 0, 0])
    expect(dry.stdout).toMatch(/6001 {2}right 1 of role 61 {2}deleted +false {2}true/)
    expect(dry.stderr).toContain('→ To confirm 1 deletion: --confirm-count 1')
    expect(agreed.stderr).toContain('to delete 1 role right,')
    expect(JSON.parse(ran.stdout)).toMatchObject({meta: {rows: {applied: 2, unsent: 0, unchanged: 1}}})
    expect(right(sandbox, 6001)).toBeUndefined()
    expect(right(sandbox, 6002)).toEqual({...before, canView: true, canEdit: false, canExecute: false})
    expect(again.stderr).toMatch(/1 role right was deleted by run \S+, and nothing is sent for them/)
    expect(requestsOf(sandbox)['role-rights.update']).toBe(1)
  })

  test('are never guessed: a flag that the file leaves out is a problem of it', async ({run, sandbox, home}) => {
    const left = await run(update(write(home, 'left.csv', 'id,canView,canEdit', '6001,false,false'), '--yes', '--json'))
    const empty = await run(update(write(home, 'empty.csv', header, '6001,false,false,'), '--yes', '--json'))
    const set = await run(
      update(write(home, 'set.csv', 'id,canView,canEdit', '6001,true,false'), '--set', 'canExecute=false', '--yes'),
    )

    expect([left, empty, set].map(({exitCode}) => exitCode)).toEqual([3, 3, 0])
    expect(JSON.parse(left.stdout).errors).toMatchObject([{code: 'MISSING_COLUMN'}])
    expect(JSON.parse(empty.stdout).errors).toMatchObject([{code: 'MISSING_VALUE', line: 2, column: 4}])
    expect(right(sandbox, 6001)).toMatchObject({canView: true, canEdit: false, canExecute: false})
  })

  test('go back to what they were, but for those that were deleted', async ({run, sandbox, home}) => {
    const before = right(sandbox, 6002)
    const file = write(home, 'r.csv', header, '6001,false,false,false', '6002,false,true,false')
    await run(update(file, '--confirm-count', '1', '--yes'))

    const undo = await run(['runs', 'undo', 'latest', '--yes'])

    expect(undo.exitCode).toBe(0)
    expect(undo.stderr).toContain('1 row is not undone: it deleted its record, which no update brings back')
    expect(right(sandbox, 6002)).toEqual(before)
    expect(right(sandbox, 6001)).toBeUndefined()
  })

  test('are created once for each role and right', async ({run, sandbox, home}) => {
    const head = 'roleId,rightId,canView,canEdit,canExecute'
    const fresh = write(home, 'new.csv', head, '61,17,true,false,false', '62,17,true,true,false')

    const twice = await run(create(write(home, 'twice.csv', head, '61,9,true,true,true', '61,9,true,true,true')))
    const left = await run(create(write(home, 'left.csv', 'roleId,rightId,canView', '61,9,true'), '--json'))
    const known = await run(create(write(home, 'known.csv', head, '61,1,true,true,true'), '--json'))
    const ran = await run(create(fresh))
    const again = await run(create(fresh))

    expect([twice, left, known, ran, again].map(({exitCode}) => exitCode)).toEqual([3, 3, 5, 0, 5])
    expect(twice.stderr).toContain('the same roleId and rightId as in line 2')
    expect(JSON.parse(left.stdout).errors).toEqual(Array(2).fill(expect.objectContaining({code: 'MISSING_COLUMN'})))
    expect(JSON.parse(known.stdout).errors).toMatchObject([{code: 'GENERIC_ERROR', line: 2}])
    expect(sandbox.store.read('role_right').filter(({rightId}) => rightId === 17)).toHaveLength(2)
  })
})
