import {expect, test} from 'vitest'

import type {Plan} from '../../src/bulk/plan-file.js'
import {type Audience, allowWrite, type WriteFlagValues} from '../../src/cli/bulk-consent.js'
import {Profiles} from '../../src/cli/profiles.js'
import {resolveSettings} from '../../src/cli/settings.js'
import {failureOf} from '../support/client.js'

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

function ask(plan: Plan, flags: Partial<WriteFlagValues>, terminal: Partial<Audience> = {}, isProtected = false) {
  const questions: string[] = []
  const environment = {VENDORCTL_BASE_URL: 'http://127.0.0.1:1', VENDORCTL_PROTECTED: String(isProtected)}
  const resolved = resolveSettings({}, environment, new Profiles({XDG_CONFIG_HOME: '/nonexistent'}))
  const answer = async (question: string) => {
    questions.push(question)
    return false
  }
  const audience = {input: true, output: true, ask: answer, ...terminal}
  const allowed = allowWrite(plan, {'set-size': 500, file: 'sites.csv', ...flags}, resolved, audience)
  return {allowed, questions}
}

test('on a terminal more than one record asks, and counts only what is sent', async () => {
  const {allowed, questions} = ask(createPlan(5, 2), {})

  expect(await allowed).toBe(false)
  expect(questions).toEqual(['Send 3 records of sites.csv in one set to profile default?'])
})

test.each([
  ['one record', createPlan(3, 2), {}, {}],
  ['--yes', createPlan(3), {yes: true}, {}],
  ['--confirm', createPlan(3), {confirm: 'default'}, {}],
  ['no terminal', createPlan(3), {}, {input: false, output: false}],
  ['no terminal and a file on standard input', createPlan(3), {file: '-'}, {input: false, output: false}],
] as const)('nobody is asked: %s', async (_, plan, flags, terminal) => {
  const {allowed, questions} = ask(plan, flags, terminal)

  expect(await allowed).toBe(true)
  expect(questions).toEqual([])
})

test.each([
  ['--no-input', {'no-input': true}, {}],
  ['a file on standard input', {file: '-'}, {input: false}],
] as const)('where nobody may answer the question, --yes is needed: %s', async (_, flags, terminal) => {
  const failure = await failureOf(ask(createPlan(3), flags, terminal).allowed)

  expect(failure).toMatchObject({exit: 'usage', code: 'NOT_CONFIRMED', hints: ['If you mean it, add: --yes']})
})

test('a protected profile must be named, whoever is there', async () => {
  const away = {input: false, output: false}

  expect(await failureOf(ask(createPlan(1), {yes: true}, away, true).allowed)).toMatchObject({code: 'PROTECTED'})
  expect(await failureOf(ask(createPlan(1), {confirm: 'other'}, away, true).allowed)).toMatchObject({exit: 'usage'})
  expect(await ask(createPlan(3), {confirm: 'default'}, away, true).allowed).toBe(true)
})
