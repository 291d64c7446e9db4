import {expect, test} from 'vitest'
import {renderRunReport} from '../../../src/cli/runs/render-run.js'
import type {LoadedRun} from '../../../src/runs/journal/load-run.js'
import type {SetAccount} from '../../../src/runs/report/run-account.js'

const at = Date.UTC(2024, 6, 30, 18, 7, 5)

const plain: SetAccount = {
  set: 1,
  part: null,
  rows: 2,
  lines: [2, 3],
  state: 'confirmed',
  how: 'answer',
  attempts: 1,
  sentAt: at,
  changedAt: at,
  why: 'the service answered that it is done',
  doubts: [],
}

/** Sets of two rows each, numbered in order. */
function toAccounts(changes: readonly Partial<SetAccount>[]): SetAccount[] {
  return changes.map((change, place) => ({
    ...plain,
    set: place + 1,
    lines: [2 * place + 2, 2 * place + 3],
    ...change,
  }))
}

const applied = {}
const notSent = {state: 'planned', how: null, sentAt: null, why: ''} as const
const inDoubt = {state: 'inDoubt', how: null, why: '', doubts: ['no answer came in time', 'not found']} as const

function render(changes: readonly Partial<SetAccount>[]): string {
  const sets = toAccounts(changes)
  const rows = sets.flatMap(({lines}) => lines.map((line) => ({line, record: {accountId: 201, name: `Pier ${line}`}})))
  const parts = sets.map(({state, set}, place) => ({
    part: {state},
    set: {number: set, places: [2 * place, 2 * place + 1]},
  }))
  const facts = {id: '20240730-180705-0c300', file: 'sites.csv', operation: 'sites.create', rows: rows.length}
  const loaded = {facts, plan: {operation: 'sites.create', rows}, parts} as unknown as LoadedRun
  const count = (state: string) => 2 * sets.filter((set) => set.state === state).length
  const fates = {applied: count('confirmed'), inDoubt: count('inDoubt'), unsent: count('planned')}
  return renderRunReport({loaded, sets, report: {rows: {refused: 0, rolledBack: 0, unchanged: 0, ...fates}}})
}

test('a run in doubt is reported in lines that fit a terminal', () => {
  const report = render([applied, applied, inDoubt, notSent, notSent])

  expect(report).toBe(
    [
      'What happened',
      '  sets 1–2, sites.csv:2–5: applied, sent from 2024-07-30 18:07:05 UTC',
      '  set 3, sites.csv:6–7: in doubt, sent 2024-07-30 18:07:05 UTC',
      '    no answer came in time',
      '    not found',
      '  sets 4–5, sites.csv:8–11: not sent',
      '',
      'What is known',
      '  applied 4 · refused 0 · rolledBack 0 · unsent 4',
      '',
      'What is not known',
      '  Whether these 2 rows were applied. They were sent, and no answer proves it:',
      '    sites.csv:6  accountId 201, name "Pier 6"',
      '    sites.csv:7  accountId 201, name "Pier 7"',
      '',
      'What to do now',
      '  1. vendorctl runs reconcile 20240730-180705-0c300',
      '     It reads the records back (sites list) and compares them with what was sent.',
      '  2. vendorctl runs resume 20240730-180705-0c300',
      '     It sends the sets that were not sent.',
      '  If you have checked the records yourself, say what you found:',
      '     vendorctl runs reconcile 20240730-180705-0c300 --assume applied',
      '     vendorctl runs reconcile 20240730-180705-0c300 --assume not-applied',
      '  Do not send these rows with another sites create before that.',
      '',
      'What happens if you do nothing',
      '  Nothing is sent by itself, and this journal is kept.',
      '  The rows in doubt stay as they are at the service, applied or not.',
      '  4 rows stay unsent.',
      '  Whoever sends sites.csv from elsewhere may write the rows in doubt a second time.',
    ].join('\n'),
  )
})

test('sets in doubt are told however many others there are', () => {
  const refused = {state: 'rejected', why: 'the service refused it: NAME_UNIQUENESS'} as const

  const report = render([
    ...Array.from({length: 60}, () => refused),
    inDoubt,
    ...Array.from({length: 500}, () => applied),
  ])

  expect(report).toContain('  set 61, sites.csv:122–123: in doubt, sent 2024-07-30 18:07:05 UTC')
  expect(report).toContain('  … and 540 sets more (all of them with --json)')
  expect(report.split('\n').length).toBeLessThan(80)
})
