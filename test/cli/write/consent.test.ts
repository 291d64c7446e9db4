import {afterAll, beforeAll, expect, test} from 'vitest'
import {Profiles} from '../../../src/cli/settings/profiles.js'
import {resolveSettings} from '../../../src/cli/settings/settings.js'
import {type Audience, askConsent, checkConsent} from '../../../src/cli/write/consent.js'
import type {WriteFlags} from '../../../src/cli/write/write-flags.js'
import type {Plan} from '../../../src/runs/plan/plan.js'
import {failureOf} from '../../support/client.js'

const {CI} = process.env

beforeAll(() => {
  delete process.env['CI']
})

afterAll(() => {
  if (CI !== undefined) process.env['CI'] = CI
})

/** A plan of so many rows in one set, of which the first few change nothing. */
function createPlan(count: number, unchanged = 0): Plan {
  const rows = Array.from({length: count}, (_, index) => ({
    line: index + 2,
    record: {id: index},
    ...(index < unchanged && {skip: 'unchanged' as const}),
  }))
  const places = rows.flatMap(({skip}, place) => (skip ? [] : [place]))
  return {
    operation: 'sites.update',
    file: 'sites.csv',
    format: 'csv',
    rows,
    sets: [{number: 1, places}],
    columns: new Map(),
    warnings: [],
    notices: [],
    merges: true,
    reads: 1,
  }
}

/** Asks as the command does; `answer` is undefined where nobody can be asked. */
async function ask(plan: Plan, flags: Partial<WriteFlags>, {hasTerminal = true, isProtected = false} = {}) {
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
    askCount: async (question) => {
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
