import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Audience, askConsent, checkConsent} from '../../../src/cli/write/consent.js'
import type {WriteFlags} from '../../../src/cli/write/write-flags.js'
import {type Agreed, agreedRows, batchOf} from '../../../src/runs/rows/phases.js'
import {Profiles} from '../../../src/settings/profiles.js'
import {resolveSettings} from '../../../src/settings/settings.js'
import {toSending} from '../../runs/flow.js'
import {failureOf} from '../../support/client.js'

const {CI} = process.env

beforeAll(() => {
  delete process.env['CI']
})

afterAll(() => {
  if (CI !== undefined) process.env['CI'] = CI
})

/** A plan of so many rows in one set, of which the first few change nothing. */
function createPlan(count: number, unchanged = 0): Agreed {
  const rows = Array.from({length: count}, (_, index) => ({
    line: index + 2,
    record: {id: index},
    ...(index < unchanged && {skip: 'unchanged' as const}),
  }))
  const places = rows.flatMap(({skip}, place) => (skip ? [] : [place]))
  return agreedRows({
    ...batchOf('sites.update', 'sites.csv', rows),
    ...{reading: {format: 'csv'}, merges: true, reads: 1, sets: [{number: 1, places}], sending: toSending({})},
  })
}

/** Asks as the command does; `answer` is undefined where nobody can be asked. */
async function ask(plan: Agreed, flags: Partial<WriteFlags>, {hasTerminal = true, isProtected = false} = {}) {
  const questions: string[] = []
  const environment = {VENDORCTL_BASE_URL: 'http://127.0.0.1:1', VENDORCTL_PROTECTED: String(isProtected)}
  const resolved = resolveSettings({}, environment, new Profiles({XDG_CONFIG_HOME: '/nonexistent'}))
  const all = {'set-size': 500, file: 'sites.csv', ...flags}
  const audience: Audience = {
    canAsk: ({'no-input': noInput, json}) => hasTerminal && !noInput && !json,
    ask: async (question) => {
      questions.push(question)
      return false
    },
    askTyped: async (question) => {
      questions.push(question)
      return false
    },
  }
  checkConsent(plan, all, resolved, {audience})
  const allowed = await askConsent(plan, all, resolved, () => ({}), audience)
  return {allowed, questions}
}

test('on a terminal more than one record asks, and counts only what is sent', async () => {
  const {allowed, questions} = await ask(createPlan(5, 2), {})

  expect(allowed).toBe(false)
  expect(questions).toEqual(['Update 3 sites from sites.csv in default?'])
})

test('a file on standard input is asked about as well', async () => {
  expect(await ask(createPlan(3), {file: '-'})).toMatchObject({allowed: false})
})

test.each([
  ['one record', createPlan(3, 2), {}],
  ['--yes', createPlan(3), {yes: true}],
  ['--confirm', createPlan(3), {confirm: 'default'}],
] as const)('nobody is asked: %s', async (_, plan, flags) => {
  for (const hasTerminal of [true, false]) {
    expect(await ask(plan, flags, {hasTerminal})).toEqual({allowed: true, questions: []})
  }
})

test.each([
  ['--no-input', {'no-input': true}, true, '--no-input is set'],
  ['--json', {json: true}, true, '--json never asks'],
  ['no terminal', {}, false, 'there is no terminal to ask on'],
  ['no terminal and a file on standard input', {file: '-'}, false, 'there is no terminal to ask on'],
] as const)('where nobody can be asked, --yes is needed: %s', async (_, flags, hasTerminal, why) => {
  const failure = await failureOf(ask(createPlan(3), flags, {hasTerminal}))

  expect(failure).toMatchObject({exit: 'usage', code: 'NOT_CONFIRMED', hints: ['Add --yes.']})
  expect(failure.message).toBe(`Confirmation is needed, but ${why}.`)
})

test('a protected profile must be named, whoever is there', async () => {
  const away = {hasTerminal: false, isProtected: true}

  expect(await failureOf(ask(createPlan(1), {yes: true}, away))).toMatchObject({code: 'PROTECTED'})
  expect(await failureOf(ask(createPlan(1), {confirm: 'other'}, away))).toMatchObject({exit: 'usage'})
  expect(await ask(createPlan(3), {confirm: 'default'}, away)).toMatchObject({allowed: true})
})

/** Role rights of which so many are deleted. */
function createRights(updates: number, deletions: number): Agreed {
  const flags = (index: number) => index >= deletions
  const rows = Array.from({length: updates + deletions}, (_, index) => ({
    line: index + 2,
    record: {id: index, canView: flags(index), canEdit: false, canExecute: false},
  }))
  const sets = [{number: 1, places: [...rows.keys()]}]
  return {...createPlan(0), operation: 'role-rights.update', rows, sets}
}

test.each([
  ['one of each', createRights(1, 1), {}, ['Type 1 to delete 1 role right in default']],
  ['--yes', createRights(2, 3), {yes: true}, ['Type 3 to delete 3 role rights in default']],
  ['the profile by name', createRights(2, 3), {confirm: 'default'}, ['Type 3 to delete 3 role rights in default']],
  ['the right number', createRights(2, 3), {'confirm-count': 3}, ['Update 2 role rights from sites.csv in default?']],
] as const)('deletions are asked about apart: %s', async (_, plan, flags, questions) => {
  expect(await ask(plan, flags)).toEqual({allowed: false, questions})
})

test('a no to the updates is a no to the deletions', async () => {
  const {allowed, questions} = await ask(createRights(2, 3), {})

  expect([allowed, questions]).toEqual([false, ['Update 2 role rights from sites.csv in default?']])
})

test.each([
  ['none', createRights(1, 2), {yes: true}, 'Confirmation is needed to delete 2 role rights, but'],
  ['a wrong number', createRights(1, 2), {yes: true, 'confirm-count': 3}, '--confirm-count is 3, but 2 role rights'],
  [
    'a number for nothing',
    createRights(3, 0),
    {yes: true, 'confirm-count': 1},
    '--confirm-count is 1, but nothing would',
  ],
] as const)('without a terminal deletions need their number: %s', async (_, plan, flags, message) => {
  const failure = await failureOf(ask(plan, flags, {hasTerminal: false}))

  expect(failure).toMatchObject({exit: 'usage', changed: 'none'})
  expect(failure.message).toContain(message)
})

test('both confirmed ask nothing', async () => {
  const flags = {yes: true, 'confirm-count': 3}

  expect(await ask(createRights(2, 3), flags, {hasTerminal: false})).toEqual({allowed: true, questions: []})
})
