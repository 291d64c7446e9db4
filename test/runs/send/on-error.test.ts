import {describe, expect, test} from 'vitest'
import type {WriteAnswer} from '../../../src/client/types.js'
import {CliFailure} from '../../../src/core/errors.js'
import type {RunReport} from '../../../src/runs/report/report.js'
import {type BulkOptions, bulkFromFile} from '../flow.js'
import {asStdin, header, site} from '../sites.js'
import {createAtomicVendor, type VendorOptions} from '../vendor.js'

const names = (count: number) => Array.from({length: count}, (_, index) => `S${index}`)
const isBad =
  (...bad: string[]) =>
  ({name}: {name?: unknown}) =>
    bad.includes(String(name))

async function run(count: number, vendorOptions: VendorOptions, options: Partial<BulkOptions>) {
  const vendor = createAtomicVendor(vendorOptions)
  const lines = names(count).map((name) => site(name))
  const report = await bulkFromFile('sites.create', {client: vendor.client, ...asStdin([header, ...lines]), ...options})
  return {report, ...vendor}
}

/** `a` applied, `r` refused, `b` rolled back, `d` in doubt, `u` unsent, `n` unchanged; one letter a row. */
function letters({outcomes}: RunReport): string {
  const letter = {applied: 'a', refused: 'r', rolledBack: 'b', inDoubt: 'd', unsent: 'u', unchanged: 'n'}
  return outcomes.map(({fate}) => letter[fate]).join('')
}

describe('quarantine', () => {
  test('drops the rows that are blamed, sends the rest again, and goes on', async () => {
    const {report, sets, applied} = await run(7, {guilty: isBad('S1', 'S2', 'S6')}, {setSize: 4, onError: 'quarantine'})

    expect(sets.map((set) => set.join())).toEqual(['S0,S1,S2,S3', 'S0,S3', 'S4,S5,S6', 'S4,S5'])
    expect(letters(report)).toBe('arraaar')
    expect(applied).toEqual(['S0', 'S3', 'S4', 'S5'])
    expect(report).toMatchObject({exit: 'partial', sets: {planned: 2, sent: 4, applied: 2}})
    expect(report.refusals.map(({line, code}) => `${line} ${code}`)).toEqual([
      '3 SITE_VALIDATION',
      '4 SITE_VALIDATION',
      '8 SITE_VALIDATION',
    ])
    expect(report.outcomes.at(3)).toEqual({line: 5, fate: 'applied', id: 2})
  })

  test('repeats while refusals name rows, one at a time if need be', async () => {
    const {report, sets} = await run(4, {guilty: isBad('S0', 'S1', 'S3'), pointing: 'first'}, {onError: 'quarantine'})

    expect(sets.map((set) => set.length)).toEqual([4, 3, 2, 1])
    expect(letters(report)).toBe('rrar')
  })

  test('a set whose rows are all blamed is not sent again', async () => {
    const {report, sets} = await run(3, {guilty: () => true}, {onError: 'quarantine'})

    expect(sets).toHaveLength(1)
    expect(report).toMatchObject({exit: 'refused', rows: {refused: 3}})
  })

  test.each(['none', 'nonsense'] as const)(
    'a set that is refused without a row to blame (%s) is refused whole, and the run goes on',
    async (pointing) => {
      const {report, sets} = await run(5, {guilty: isBad('S1'), pointing}, {setSize: 2, onError: 'quarantine'})

      expect(sets).toHaveLength(3)
      expect(letters(report)).toBe('rraaa')
      expect(report.outcomes.at(0)).toMatchObject({code: 'SET_REFUSED', message: 'SITE_VALIDATION Not so.'})
      expect(report.refusals).toMatchObject([{code: 'SITE_VALIDATION', lines: [2, 3]}])
    },
  )
})

describe('bisect', () => {
  test('finds the guilty row of a set without pointers in 2 log2 n requests', async () => {
    const {report, sets, applied} = await run(64, {guilty: isBad('S41'), pointing: 'none'}, {onError: 'bisect'})

    expect(sets).toHaveLength(1 + 2 * 6)
    expect(letters(report)).toBe(`${'a'.repeat(41)}r${'a'.repeat(22)}`)
    expect(applied).toHaveLength(63)
    expect(report.outcomes.at(41)).toEqual({line: 43, fate: 'refused', code: 'SITE_VALIDATION', message: 'Not so.'})
    expect(report.refusals).toMatchObject([{line: 43, code: 'SITE_VALIDATION'}])
    expect(report.entries).toHaveLength(1)
  })

  test('uses pointers where there are some', async () => {
    const {sets} = await run(64, {guilty: isBad('S41')}, {onError: 'bisect'})

    expect(sets.map((set) => set.length)).toEqual([64, 63])
  })

  test('keeps to its budget: what is undecided then was not sent alone and says so', async () => {
    const {report, sets} = await run(
      16,
      {guilty: isBad('S5'), pointing: 'none'},
      {setSize: 8, onError: 'bisect', bisectBudget: 3},
    )

    expect(sets.map((set) => set.length)).toEqual([8, 4, 4, 2, 8])
    expect(letters(report)).toBe('aaaarruuaaaaaaaa')
    expect(report.outcomes.at(4)).toMatchObject({fate: 'refused', code: 'SET_REFUSED'})
    expect(report.outcomes.at(6)).toMatchObject({fate: 'unsent', code: 'BISECT_BUDGET'})
    expect(report.notes).toMatchObject([{code: 'BISECT_BUDGET', lines: [8, 9]}])
    expect(report.exit).toBe('partial')
  })
})

describe('in every mode but stop', () => {
  const offline = new CliFailure('Cannot connect.', {code: 'UNREACHABLE', exit: 'unavailable'})
  const refused = (status: number, code: string): WriteAnswer => ({
    fate: 'refused',
    status,
    refusals: [{code, message: '', pointers: []}],
  })

  test.each<[string, WriteAnswer | Error, string]>([
    ['a doubt', {fate: 'inDoubt', why: 'cut', refusals: []}, 'inDoubt'],
    ['a client that breaks', new TypeError('broken'), 'inDoubt'],
    ['a yes with too few ids', {fate: 'applied', ids: [1], records: []}, 'inDoubt'],
    ['no login', refused(401, 'API_TOKEN'), 'denied'],
    ['no access', refused(403, 'NO_API_ACCESS'), 'denied'],
    ['a refused key', refused(403, 'HTTP_403'), 'denied'],
    ['a wrong path', refused(404, 'HTTP_404'), 'refused'],
    ['a redirect', refused(302, 'REDIRECT'), 'unsafe'],
    ['no connection', {fate: 'unsent', failure: offline}, 'unavailable'],
  ])('%s stops the run', async (_, answer, exit) => {
    for (const onError of ['quarantine', 'bisect'] as const) {
      const {report, sets} = await run(6, {instead: {1: answer}}, {setSize: 2, onError})

      expect(sets).toHaveLength(1)
      expect(report.exit).toBe(exit)
      expect(letters(report).slice(2)).toBe('uuuu')
    }
  })

  test('foreign records are a matter of rows where they are named', async () => {
    const foreign = {guilty: isBad('S1'), code: 'DATA_ACCESS', status: 403}

    const named = await run(4, foreign, {setSize: 2, onError: 'quarantine'})
    const unnamed = await run(4, {...foreign, pointing: 'none'}, {setSize: 2, onError: 'quarantine'})
    const found = await run(4, {...foreign, pointing: 'none'}, {setSize: 2, onError: 'bisect'})

    expect(letters(named.report)).toBe('araa')
    expect(letters(unnamed.report)).toBe('rruu')
    expect(unnamed.report.exit).toBe('denied')
    expect(letters(found.report)).toBe('araa')
  })

  test('a doubt about the rest of a set leaves only that in doubt', async () => {
    const doubt: WriteAnswer = {fate: 'inDoubt', why: 'cut', refusals: []}

    const {report, sets} = await run(6, {guilty: isBad('S1'), instead: {2: doubt}}, {setSize: 3, onError: 'quarantine'})

    expect(sets).toHaveLength(2)
    expect(letters(report)).toBe('drduuu')
    expect(report.entries.map(({code, line}) => `${code} ${line}`)).toEqual(['IN_DOUBT 2', 'SITE_VALIDATION 3'])
    expect(report.notes[0]?.message).toBe('part of set 1 of 2 (2 rows, lines 2 to 4): in doubt: cut')
  })

  test('Ctrl-C between a refusal and the rest of its set leaves that for a resume', async () => {
    const stop = new AbortController()
    const guilty = ({name}: {name?: unknown}) => {
      stop.abort(new CliFailure('Stopped by Ctrl-C.', {code: 'SIGINT', exit: 'interrupted'}))
      return name === 'S1'
    }

    const {report, sets} = await run(4, {guilty}, {setSize: 2, onError: 'quarantine', signal: stop.signal})

    expect(sets).toHaveLength(1)
    expect(letters(report)).toBe('uruu')
  })
})

describe('a set that is too large for the service', () => {
  test('is halved in every mode, and its size is remembered', async () => {
    for (const onError of ['stop', 'quarantine', 'bisect'] as const) {
      const {report, sets, applied} = await run(20, {most: 3}, {setSize: 10, onError})

      expect(sets.map((set) => set.length)).toEqual([10, 5, 3, 2, 3, 2, 3, 2, 3, 2])
      expect(applied).toEqual(names(20))
      expect(report).toMatchObject({exit: 'ok', rows: {applied: 20}, refusals: [], entries: []})
    }
  })

  test('one row that is too large is refused', async () => {
    const {report, sets} = await run(2, {most: 0}, {})

    expect(sets.map((set) => set.length)).toEqual([2, 1])
    expect(letters(report)).toBe('ru')
    expect(report).toMatchObject({exit: 'refused', refusals: [{line: 2, code: 'HTTP_413'}]})
  })

  test('an atomic one is never cut', async () => {
    const {report, sets} = await run(4, {most: 3}, {atomic: true})

    expect(sets).toHaveLength(1)
    expect(report).toMatchObject({exit: 'refused', rows: {refused: 4}})
  })
})

describe('a canary', () => {
  test('that is applied lets the others fly', async () => {
    const {report, sets} = await run(6, {}, {canary: 1, setSize: 3})

    expect(sets.map((set) => set.length)).toEqual([1, 3, 2])
    expect(report.exit).toBe('ok')
  })

  test.each(['stop', 'quarantine', 'bisect'] as const)(
    'that is refused keeps others back, with %s',
    async (onError) => {
      const {report, sets} = await run(6, {guilty: isBad('S1')}, {canary: 2, setSize: 3, onError})

      expect(sets).toHaveLength(1)
      expect(letters(report)).toBe('bruuuu')
      expect(report.outcomes.at(5)).toMatchObject({code: 'NOT_SENT', message: 'the canary was not applied'})
    },
  )
})
