import {describe, expect, test} from 'vitest'
import type {RefusalEntry, WriteAnswer} from '../../../src/client/types.js'
import {CliFailure} from '../../../src/core/errors.js'
import {foldResults} from '../../../src/runs/report/fold-results.js'
import type {PlannedRow, PlannedSet} from '../../../src/runs/rows/cut-sets.js'
import {type Agreed, agreedRows, batchOf, type SetResult} from '../../../src/runs/rows/phases.js'
import type {JsonValue} from '../../../src/values/json.js'
import {toSending} from '../flow.js'

type Answer = SetResult['answer']

const yes = (...ids: number[]): WriteAnswer => ({fate: 'applied', ids, records: []})
const refuse = (status: number, ...refusals: RefusalEntry[]): WriteAnswer => ({fate: 'refused', status, refusals})
const by = (pointerName: string, ...pointers: (string | number)[]): RefusalEntry => ({
  ...{code: 'NAME_UNIQUENESS', message: 'Taken.', pointers, pointerName},
})
const plainRefusal: RefusalEntry = {code: 'GENERIC_ERROR', message: 'No.', pointers: []}
const away = new CliFailure('Away.', {code: 'UNREACHABLE', exit: 'unavailable', hints: ['Look.'], retry: 'safe'})
const full = new CliFailure('The disk is full.', {
  ...{code: 'STATE_FULL', exit: 'storage', changed: 'some', retry: 'safe', hints: ['Make room.']},
})

const rowsFrom = (count: number): PlannedRow[] =>
  Array.from({length: count}, (_, index) => ({line: index + 2, record: {accountId: 7, name: `S${index}`}}))

/** A plan of rows on lines from 2, of which each list of places is a set. */
function planOf(rows: PlannedRow[], sets: number[][], more: Partial<Agreed> = {}): Agreed {
  return {
    ...agreedRows({
      ...batchOf('sites.create', 'a.csv', rows),
      reading: {format: 'csv'},
      sets: sets.map((places, index) => ({number: index + 1, places})),
      columns: new Map([
        ['accountId', 1],
        ['name', 2],
      ]),
      sending: toSending({}),
    }),
    ...more,
  }
}

function fold(plan: Agreed, answers: Answer[], more: Parameters<typeof foldResults>[2] = {}) {
  const results = answers.map((answer, index): SetResult => ({set: plan.sets[index] as PlannedSet, answer}))
  return foldResults(plan, results, more)
}

/** One set of so many rows. */
const one = (count: number) => planOf(rowsFrom(count), [[...Array(count).keys()]])

test('a row in no set says why, and does not change the exit', () => {
  const skipped: PlannedRow[] = [
    {line: 2, record: {id: 5}, skip: 'unchanged'},
    {line: 3, record: {name: 'a'}, skip: 'appliedBefore', by: 'R1', madeId: 9},
    {line: 4, record: {name: 'b'}, skip: 'appliedBefore', by: 'R1'},
    {line: 5, record: {name: 'c'}, skip: 'continued', by: 'R2'},
    {line: 6, record: {name: 'd'}, skip: 'changedSince'},
    {line: 7, record: {name: 'e'}},
  ]

  const folded = fold(planOf(skipped, [[5]]), [yes(1)])

  expect(folded.outcomes).toEqual([
    {line: 2, fate: 'unchanged', code: 'UNCHANGED', message: 'the record already has these values', id: 5},
    {line: 3, fate: 'applied', code: 'APPLIED_BEFORE', message: 'applied by run R1', id: 9},
    {line: 4, fate: 'applied', code: 'APPLIED_BEFORE', message: 'applied by run R1'},
    {line: 5, fate: 'unsent', code: 'CONTINUED', message: 'left to run R2'},
    {line: 6, fate: 'unsent', code: 'CHANGED_SINCE', message: 'somebody changed the record since the run'},
    {line: 7, fate: 'applied', id: 1},
  ])
  expect(folded).toMatchObject({
    exit: 'ok',
    rows: {applied: 3, unsent: 2, unchanged: 1, refused: 0, rolledBack: 0, inDoubt: 0},
    sets: {planned: 1, sent: 1, applied: 1},
  })
})

test('each row gets the answer of its set and its own id, whatever the order of the sets', () => {
  const plan = planOf(rowsFrom(4), [
    [3, 1],
    [2, 0],
  ])

  expect(fold(plan, [yes(31, 11), yes(21, 1)]).outcomes.map(({line, id}) => [line, id])).toEqual([
    [2, 1],
    [3, 11],
    [4, 21],
    [5, 31],
  ])
})

test('the id that the service gave goes before the one that was sent', () => {
  const rows: PlannedRow[] = [5, 6].map((id) => ({line: id, record: {id}}))

  expect(fold(planOf(rows, [[0], [1]]), [yes(9), yes()]).outcomes.map(({id}) => id)).toEqual([9, 6])
})

test('a changed count is told where the service says what it is now', () => {
  const rows: PlannedRow[] = [5, 6].map((id) => ({line: id, record: {selectionId: id, delta: 1}}))
  const messages = (operation: 'selections.adjust' | 'selections.update', now: JsonValue[]) =>
    fold(planOf(rows, [[0, 1]], {operation}), [{fate: 'applied', ids: [], records: [], now}]).outcomes.map(
      ({message}) => message,
    )

  expect(messages('selections.adjust', [7])).toEqual(['count is now 7', undefined])
  expect(messages('selections.update', [7, 8])).toEqual([undefined, undefined])
})

describe('the exit', () => {
  const exitOf = (...answers: Answer[]) => {
    const places = answers.map((_, place) => [place])
    return fold(planOf(rowsFrom(answers.length), places), answers).exit
  }

  test.each<[string, Answer[], string]>([
    ['a refusal of rows before one of the login', [refuse(400, plainRefusal), refuse(403, plainRefusal)], 'refused'],
    ['a refusal of rows after one of the login', [refuse(403, plainRefusal), refuse(400, plainRefusal)], 'refused'],
    ['the last where no refusal is of rows', [refuse(302, plainRefusal), refuse(403, plainRefusal)], 'denied'],
    ['the failure that kept a set back', [{fate: 'unsent', failure: away}], 'unavailable'],
    ['a failure nobody expected', [{fate: 'unsent', failure: new TypeError('x')}], 'failure'],
    ['nothing was tried', [{fate: 'skipped', why: 'stopped'}], 'failure'],
    ['some were applied', [yes(1), {fate: 'unsent', failure: away}], 'partial'],
  ])('is named by %s', (_, answers, exit) => {
    expect(exitOf(...answers)).toBe(exit)
  })

  test('is not named by a refusal of which every row was sent again', () => {
    const plan = one(2)
    const [set] = plan.sets as [PlannedSet]
    const rest: PlannedSet = {number: 1, places: [0], part: {kind: 'rest', refusal: plainRefusal}}
    const exitWith = (again: number[]) =>
      foldResults(plan, [
        {set, answer: refuse(403, plainRefusal), again: new Set(again)},
        {set: rest, answer: {fate: 'unsent', failure: away}},
      ])

    expect(exitWith([0, 1])).toMatchObject({exit: 'unavailable', refusals: [], rows: {unsent: 2, refused: 0}})
    expect(exitWith([0])).toMatchObject({exit: 'denied', rows: {unsent: 1, refused: 1}})
  })

  test('is named by what became of the rows that were sent again, not by why', () => {
    const plan = one(2)
    const [set] = plan.sets as [PlannedSet]
    const halves = [0, 1].map((place): PlannedSet => ({number: 1, places: [place], part: {kind: 'bisect'}}))

    const folded = foldResults(plan, [
      {set, answer: refuse(400, plainRefusal), again: new Set([0, 1])},
      ...halves.map((half) => ({set: half, answer: refuse(403, plainRefusal)})),
    ])

    expect(folded).toMatchObject({exit: 'denied', rows: {refused: 2}})
  })

  test('knows of no fate of a row that was to be sent again and was not', () => {
    const plan = one(2)
    const [set] = plan.sets as [PlannedSet]

    const folded = foldResults(plan, [{set, answer: refuse(400, plainRefusal), again: new Set([1])}])

    expect(folded.outcomes.map(({fate}) => fate)).toEqual(['refused', 'unsent'])
  })
})

test('an answer that the journal could not take holds, and is told', () => {
  const plan = one(2)
  const [set] = plan.sets as [PlannedSet]

  const folded = foldResults(plan, [{set, answer: yes(1, 2), unrecorded: full}])

  expect(folded).toMatchObject({exit: 'storage', rows: {applied: 2}})
  expect(folded.notes).toEqual([
    {file: 'a.csv', lines: [2, 3], code: 'STATE_FULL', message: 'set 1 of 1 (2 rows, lines 2 to 3): The disk is full.'},
  ])
  expect(folded.entries).toMatchObject([
    {...{code: 'STATE_FULL', exit: 12, changed: 'some', retry: 'safe', hint: 'Make room.'}, file: 'a.csv', line: 2},
  ])
})

describe('a refused set', () => {
  test('names each row once, by the first refusal of it', () => {
    const second: RefusalEntry = {code: 'SITE_VALIDATION', message: 'Not so.', pointers: [0, 1], pointerName: 'index'}

    const folded = fold(one(2), [refuse(400, by('index', 0), second)])

    expect(folded.outcomes.map(({fate, code}) => `${fate} ${code}`)).toEqual([
      'refused NAME_UNIQUENESS',
      'refused SITE_VALIDATION',
    ])
    expect(folded.refusals.map(({line, code}) => `${line} ${code}`)).toEqual([
      '2 NAME_UNIQUENESS',
      '2 SITE_VALIDATION',
      '3 SITE_VALIDATION',
    ])
  })

  test('with no words at all is still refused', () => {
    expect(fold(one(1), [refuse(400)]).outcomes).toEqual([{line: 2, fate: 'refused', code: 'SET_REFUSED', message: ''}])
  })

  test('shows the field that the code is about, where the pointer names the id of the record only', () => {
    const rows: PlannedRow[] = [{line: 2, record: {id: 7, name: 'A'}}]
    const columns = new Map([
      ['id', 1],
      ['name', 2],
    ])
    const plan = (more: Partial<Agreed>) => planOf(rows, [[0]], {operation: 'sites.update', ...more})
    const shown = (more: Partial<Agreed>, pointerName = 'id') =>
      fold(plan(more), [refuse(400, by(pointerName, 7))]).refusals.map(({column, columnName}) => [column, columnName])

    expect(shown({columns})).toEqual([[2, 'name']])
    expect(shown({columns: new Map([['id', 1]])})).toEqual([[1, 'id']])
    expect(shown({columns: new Map()})).toEqual([[undefined, 'name']])
    expect(shown({columns}, 'index')).toEqual([[2, 'name']])
    expect(shown({columns}, 'id')).toEqual([[2, 'name']])
  })

  test('shows the field that the message names, and the operation that was run', () => {
    const rows: PlannedRow[] = [{line: 2, record: {id: 7, name: 'A', timeZone: 'Mars'}}]
    const plan = planOf(rows, [[0]], {operation: 'sites.update', columns: new Map([['timeZone', 3]])})
    const refused = (message: string) =>
      fold(plan, [refuse(422, {code: 'SITE_VALIDATION', message, pointerName: 'id', pointers: [7]})])
    const columnOf = (message: string) => refused(message).refusals.map(({columnName}) => columnName)

    expect(columnOf('timeZone is not a known time zone.')).toEqual(['timeZone'])
    expect(columnOf('Not known: timeZone.')).toEqual(['timeZone'])
    expect(columnOf('name and timeZone do not match.')).toEqual(['id'])
    expect(refused('No.').entries[0]?.hint).toBe('Check the named site against: vendorctl contract show sites.update')
  })

  test('shows the field that the pointer names before the one that the code is about', () => {
    expect(fold(one(1), [refuse(400, by('accountId', 7))]).refusals).toMatchObject([
      {columnName: 'accountId', cell: '7'},
    ])
  })

  test.each([
    ['NAME_UNIQUENESS', 'after-fix', 'none'],
    ['NOT_IN_THE_CONTRACT', 'after-fix', 'none'],
    ['ACCESS_ERROR', 'reconcile-first', 'unknown'],
    ['API_TOKEN', 'safe', 'none'],
  ])('with %s says whether to send it again: %s, for it changed: %s', (code, retry, changed) => {
    expect(fold(one(1), [refuse(400, {...plainRefusal, code})]).entries).toMatchObject([{code, retry, changed}])
  })
})

describe('a set in doubt', () => {
  const doubt: WriteAnswer = {fate: 'inDoubt', why: 'the connection broke', refusals: []}
  const hintOf = (plan: Agreed, runId?: string) => fold(plan, [doubt], {runId}).entries[0]?.hint

  test('names the read that shows what became of it, where no journal was kept', () => {
    expect(hintOf(one(1))).toMatch(/: vendorctl sites list$/)
  })

  test('may be sent again where the service itself refuses what is there', () => {
    expect(hintOf({...one(1), operation: 'machines.custom-data.create'})).toMatch(
      /^Send the rows in doubt again: .* refused/,
    )
  })

  test('has the code and the words of the service, but not twice', () => {
    const said = (why: string) =>
      fold(one(1), [{fate: 'inDoubt', why, refusals: [{...plainRefusal, code: 'ODD'}]}]).outcomes.at(0)

    expect(said('answered 500')).toMatchObject({code: 'ODD', message: 'answered 500: No.'})
    expect(said('answered 500 ODD No.')).toMatchObject({code: 'ODD', message: 'answered 500 ODD No.'})
  })

  test('goes by the ids of its alerts where no file lists them', () => {
    const rows: PlannedRow[] = [11, 12, 13].map((id, index) => ({line: index + 1, record: {id}}))
    const found = planOf(rows, [[0, 1, 2]], {operation: 'alerts.clear', reading: null})
    const messageOf = (plan: Agreed) => fold(plan, [doubt]).entries[0]?.message

    expect(messageOf(found)).toContain('set 1 of 1 (3 rows, alerts 11 to 13)')
    expect(messageOf({...found, reading: {format: 'csv'}})).toContain('(3 rows, lines 1 to 3)')
    expect(messageOf({...found, operation: 'sites.update'})).toContain('(3 rows, lines 1 to 3)')
    expect(messageOf({...found, sets: [{number: 1, places: [1]}]})).toContain('(1 row, alert 12)')
  })
})

describe('a set that was not sent', () => {
  test('says a failure that nobody expected', () => {
    expect(fold(one(1), [{fate: 'unsent', failure: new TypeError('x is odd')}])).toMatchObject({
      outcomes: [{code: 'NOT_SENT', message: 'x is odd'}],
      entries: [{code: 'NOT_SENT', exit: 1, retry: 'safe', changed: 'none'}],
    })
  })

  test('says each further failure as well', () => {
    const entry = {exit: 4, changed: 'none', retry: 'after-fix'} as const
    const entries = ['One.', 'Two.'].map((message) => ({code: 'USAGE' as const, message, ...entry}))
    const failure = new CliFailure('Many.', {code: 'TOO_MANY_FILES', exit: 'denied', entries})

    expect(fold(one(1), [{fate: 'unsent', failure}]).entries).toMatchObject([
      {code: 'USAGE', message: 'set 1 of 1 (1 row, line 2): not sent: Many. Two.', exit: 4},
    ])
  })

  test.each<[Answer, string | undefined]>([
    [{fate: 'skipped', why: 'stopped'}, 'the run had stopped'],
    [{fate: 'skipped', why: 'canary'}, 'the canary was not applied'],
    [{fate: 'skipped'}, undefined],
  ])('after %j says why', (answer, message) => {
    const folded = fold(one(1), [answer])

    expect(folded.outcomes).toEqual([{line: 2, fate: 'unsent', ...(message && {code: 'NOT_SENT', message})}])
    expect(folded).toMatchObject({notes: [], entries: [], refusals: [], sets: {sent: 0}})
  })
})
