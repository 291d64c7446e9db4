import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {CliFailure} from '../../../src/core/errors.js'
import {openCheckpoint} from '../../../src/reports/export/checkpoint.js'
import {digestOf} from '../../../src/reports/export/complete-file.js'
import {manifestSchema} from '../../../src/reports/export/manifest.js'
import {checkpointPath, lockBeside} from '../../../src/reports/export/output-lock.js'
import {identityOf, readSealed, setAsideFile} from '../../../src/reports/export/sealed-file.js'
import type {ExportRegister} from '../../../src/reports/register/export-register.js'
import {dropForeign, dropRead, removeOrphan} from '../../../src/reports/register/shared-files.js'
import type {Turn} from '../../../src/reports/register/shared-turn.js'
import {makeFolder} from '../../support/folder.js'

const text = JSON.stringify({
  ...{schema: manifestSchema, digest: 'sha256:1', file: 'a.csv', format: 'csv', rows: 1, bytes: 1, windows: []},
  ...{grade: 'A', range: {asked: ['2024-07-01T00:00:00', '2024-07-02T00:00:00']}},
})

type Left = {isCurrent: boolean; isSealed?: boolean; isAnnounced?: boolean; hasPart?: boolean; isFinished?: boolean}

/** What of an unfinished file is still there once the name was taken again. */
async function leftOf({isCurrent, isSealed = true, isAnnounced = false, hasPart = false, isFinished = false}: Left) {
  const folder = join(makeFolder(), 'exports')
  mkdirSync(folder)
  const path = join(folder, '..', 'a.csv')
  const state = openCheckpoint(checkpointPath(folder, path))
  state.begin({identity: '{}', frozen: '{}'}, '[]')
  if (isSealed) state.seal(text)
  state.close()
  if (hasPart) writeFileSync(`${path}.part`, 'x')
  const {id} = readSealed(checkpointPath(folder, path)) ?? {}
  const turn = {
    ...{isFinished: async () => isFinished, mark: {host: 'web-2', value: {at: '2024-07-03T00:00:00'}}},
    announced: isAnnounced ? {finish: {id}} : undefined,
  } as unknown as Turn
  const register = {findLastFile: () => ({path}), findSeen: () => undefined} as unknown as ExportRegister
  const notices: string[] = []
  await dropRead({name: 'n', scope: ''}, {turn, isCurrent, register, folder, onNotice: (one) => notices.push(one)})
  return {isKept: existsSync(checkpointPath(folder, path)), isTold: notices.length > 0}
}

test.each<[string, Left, {isKept: boolean; isTold: boolean}]>([
  ['not complete is resumed', {isCurrent: true, isSealed: false}, {isKept: true, isTold: false}],
  ['complete and announced is recorded', {isCurrent: true, isAnnounced: true}, {isKept: true, isTold: false}],
  ['complete and without its name gets it', {isCurrent: true, hasPart: true}, {isKept: true, isTold: false}],
  ['complete that nobody knows of is read again', {isCurrent: true}, {isKept: false, isTold: false}],
  ['complete and recorded is looked at no more', {isCurrent: false, isFinished: true}, {isKept: true, isTold: false}],
  ['another machine has read since is dropped, which is told', {isCurrent: false}, {isKept: false, isTold: true}],
])('a file that is %s', async (_, left, expected) => {
  expect(await leftOf(left)).toEqual(expected)
})

test('what a killed run left of a file is removed, and a file that somebody writes or finishes is not', () => {
  const folder = makeFolder()
  const orphan = {host: 'web-2', path: join(folder, 'a.csv')}
  const isLeft = (announced?: string) => {
    writeFileSync(`${orphan.path}.part`, 'x')
    const turn = {orphan, announced: announced && {finish: {file: {path: announced}}}} as unknown as Turn
    removeOrphan(turn, {folder, onNotice: () => undefined})
    return existsSync(`${orphan.path}.part`)
  }

  expect([isLeft(orphan.path), isLeft('/other.csv'), isLeft()]).toEqual([true, false, false])
  const lock = lockBeside(orphan.path)
  expect(isLeft()).toBe(true)
  lock?.remove()
  openCheckpoint(checkpointPath(folder, orphan.path)).close()
  expect(isLeft()).toBe(true)
})

test('where NAME.part is that of another machine, this one begins anew and leaves it', () => {
  const folder = makeFolder()
  const path = join(folder, 'a.csv')
  const drop = (code: 'PART_DAMAGED' | 'OUTPUT_LOCKED') => dropForeign(new CliFailure('', {code}), {folder, path})
  writeFileSync(`${path}.part`, 'theirs')
  const unknown = drop('PART_DAMAGED')
  openCheckpoint(checkpointPath(folder, path)).close()

  expect([unknown, drop('OUTPUT_LOCKED')]).toEqual([undefined, undefined])
  expect(drop('PART_DAMAGED')).toContain('its rows are read again')
  expect([existsSync(checkpointPath(folder, path)), existsSync(`${path}.part`)]).toEqual([false, true])
})

test('a complete file is set aside where it is the one that was written, and no other one ever', async () => {
  const path = join(makeFolder(), 'a.csv')
  writeFileSync(path, 'rows')
  const [own, digest = ''] = [identityOf(path), await digestOf(path)]
  const setAside = (given: {own?: string | undefined; digest?: string}) =>
    setAsideFile(path, {id: '', digest: given.digest ?? digest}, 'own' in given ? given.own : own)

  const others = [await setAside({own: undefined}), await setAside({own: '1 1'}), await setAside({digest: 'sha256:1'})]

  expect([others, existsSync(path)]).toEqual([[undefined, undefined, undefined], true])
  expect(await setAside({})).toContain('is now')
  expect([existsSync(path), existsSync(`${path}.superseded`)]).toEqual([false, true])
})
