import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {findOneNamed, fromWhere, nextOfName} from '../../../src/reports/register/named-steps.js'

const waiting = {path: '/tx.csv', digest: '', bytes: 1, rows: 1, writtenAt: 0, state: 'outstanding', tries: 3} as const
const named = {name: 'n', scope: '', state: 'done', mark: {at: '2024-07-02', nextStart: '2024-07-01'}} as const

test.for([
  [{isDelivered: true}, [], 'The next run reads from'],
  [{isDelivered: true}, [waiting], 'The next run delivers what is outstanding, then reads from'],
  [{}, [waiting], 'The next run delivers nothing without --deliver and reads from'],
] as const)('a run as %o is not said to deliver more than it does', ([facts, undelivered, text]) => {
  const next = nextOfName({...named, facts: {...facts, run: 'reports transactions'}, undelivered: [...undelivered]})

  expect(next).toBe(`${text} 2024-07-01 on: vendorctl reports transactions`)
})

test.for([
  ['csv', '', {}, '-{date}-{time}.csv'],
  ['csv.gz', '', {}, '-{date}-{time}.csv.gz'],
  ['csv', ' --overwrite', {}, '.csv'],
  ['csv', ' --append', {isAppended: true}, '.csv'],
] as const)(
  'the file of the last run, which is there, is not proposed again: .%s%s',
  ([ending, flag, more, proposed]) => {
    const folder = mkdtempSync(join(tmpdir(), 'vendorctl-steps-'))
    onTestFinished(() => rmSync(folder, {recursive: true}))
    const [file, run] = [join(folder, `v1.2.${ending}`), 'reports transactions --output-file']
    const last = {at: 0, from: '', to: '', rows: 1, file}
    const next = () => nextOfName({...named, last, facts: {run: `${run} ${file}${flag}`, ...more}, undelivered: []})

    const gone = next()
    writeFileSync(file, '')

    expect(gone).toContain(`vendorctl ${run} ${file}${flag}`)
    expect(next().replaceAll("'", '')).toContain(`vendorctl ${run} ${join(folder, 'v1.2')}${proposed}${flag}`)
  },
)

test('a name that was used in several ways is not guessed: the hints tell them apart', () => {
  const facts = {
    command: 'reports transactions',
    profile: 'eu',
    baseUrl: 'https://one.test',
    stage: 'v2.1',
    filters: '',
  }
  const all = [{}, facts].map((each, index) => ({...named, scope: `${index}`, facts: each, undelivered: []}))

  expect(findOneNamed(all, 'n', '1')).toBe(all[1])
  expect(() => findOneNamed(all, 'm')).toThrow(expect.objectContaining({code: 'NO_WATERMARK', exit: 'usage'}))
  expect(() => findOneNamed(all, 'n')).toThrow(
    expect.objectContaining({
      ...{code: 'NAME_AMBIGUOUS', exit: 'usage'},
      hints: [
        '--scope 0: mark 2024-07-02',
        '--scope 1: reports transactions, profile eu, https://one.test (v2.1), mark 2024-07-02',
      ],
    }),
  )
})

test('of a mark that machines share only its end may be known', () => {
  expect(fromWhere({at: '2024-07-02'})).toBe('on from the mark that machines share')
  expect(fromWhere(undefined)).toBe('from its --start on')
})
