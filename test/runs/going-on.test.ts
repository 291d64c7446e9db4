import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {WriteAnswer} from '../../src/client/types.js'
import {CliFailure} from '../../src/core/errors.js'
import {exitOfRun} from '../../src/runs/report/report.js'
import type {JsonRecord} from '../../src/values/json.js'
import {type BulkOptions, bulkFromFile} from './flow.js'
import {asStdin, header, site} from './sites.js'

const kinds = [
  ...(['yes', 'index', 'all', 'none', 'outside', 'large'] as const),
  ...(['denied', 'doubt', 'few', 'broken', 'unsent', 'stop'] as const),
]
type Kind = (typeof kinds)[number]

const refuse = (status: number, code: string, pointers: number[]): WriteAnswer => ({
  fate: 'refused',
  status,
  refusals: [{code, message: 'No.', pointers, pointerName: 'index'}],
})

function answer(kind: Kind, records: JsonRecord[], stop: AbortController): WriteAnswer {
  const yes: WriteAnswer = {fate: 'applied', ids: records.map(({name}) => String(name)), records: []}
  if (kind === 'index') return refuse(400, 'SITE_VALIDATION', [records.length - 1])
  if (kind === 'all') return refuse(422, 'SITE_VALIDATION', [...records.keys()])
  if (kind === 'none') return refuse(400, 'GENERIC_ERROR', [])
  if (kind === 'outside') return refuse(400, 'GENERIC_ERROR', [records.length, -1])
  if (kind === 'large') return refuse(413, 'HTTP_413', [])
  if (kind === 'denied') return refuse(403, 'NO_API_ACCESS', [])
  if (kind === 'doubt') return {fate: 'inDoubt', why: 'cut', refusals: []}
  if (kind === 'few') return {...yes, ids: ['lonely', ...yes.ids]}
  if (kind === 'broken') throw new TypeError('broken')
  if (kind === 'unsent')
    return {fate: 'unsent', failure: new CliFailure('Away.', {code: 'UNREACHABLE', exit: 'unavailable'})}
  if (kind === 'stop') stop.abort(new CliFailure('Stopped.', {code: 'SIGINT', exit: 'interrupted'}))
  return yes
}

const endings = new Set<Kind>(['denied', 'doubt', 'few', 'broken', 'unsent', 'stop'])
const doubts = new Set<Kind>(['doubt', 'few', 'broken'])

/** Runs a file against a service that answers in this order, and then yes. */
async function run(given: readonly Kind[], count: number, options: Partial<BulkOptions>) {
  const stop = new AbortController()
  const sent: {kind: Kind; names: string[]}[] = []
  const write: BulkOptions['client']['write'] = async (_id, {records = []}) => {
    const kind = given[sent.length] ?? 'yes'
    sent.push({kind, names: records.map(({name}) => String(name))})
    return answer(kind, records, stop)
  }

  const lines = Array.from({length: count}, (_, index) => site(`S${index}`))
  const file = asStdin([header, ...lines])
  const client = {write, async *readPages() {}}
  const report = await bulkFromFile('sites.create', {client, ...file, signal: stop.signal, ...options})
  return {report, sent}
}

const plans = fc.record({
  setSize: fc.integer({min: 1, max: 6}),
  onError: fc.constantFrom('stop' as const, 'quarantine' as const, 'bisect' as const),
  bisectBudget: fc.integer({min: 1, max: 8}),
  canary: fc.option(fc.integer({min: 1, max: 4}), {nil: undefined}),
})

test('whatever is answered, every row has one fate, and it is the one that the requests prove', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), {maxLength: 12}),
      fc.nat(20),
      plans,
      async (given, count, plan) => {
        const {report, sent} = await run(given, count, plan)

        const {rows, outcomes, exit} = report
        expect(outcomes.map(({line}) => line)).toEqual(Array.from({length: count}, (_, index) => index + 2))
        expect(Object.values(rows).reduce((sum, part) => sum + part, 0)).toBe(count)
        ;[...outcomes].forEach(({fate, id, code}, index) => {
          const requests = sent.filter(({names}) => names.includes(`S${index}`)).map(({kind}) => kind)
          const last = requests.at(-1)
          if (fate === 'applied') expect([id, last === 'yes' || last === 'stop']).toEqual([`S${index}`, true])
          else expect(requests.some((kind) => kind === 'yes' || kind === 'stop')).toBe(false)
          expect(fate === 'inDoubt').toBe(last !== undefined && doubts.has(last))
          if (fate === 'rolledBack') expect([last, code]).toEqual(['index', 'ROLLED_BACK'])
          if (requests.length === 0) expect(fate).toBe('unsent')
          if (fate !== 'applied') expect(code).toBeTypeOf('string')
        })

        const end = sent.findIndex(({kind}) => endings.has(kind))
        if (end !== -1) expect(sent).toHaveLength(end + 1)
        if (rows.inDoubt > 0) expect(exit).toBe('inDoubt')
        else if (rows.applied === count) expect(exit).toBe('ok')
        else expect(exit).not.toBe('ok')
        expect(report.sets.sent).toBe(sent.filter(({kind}) => kind !== 'unsent').length)
        expect(exitOfRun({rows, stoppedBy: undefined, refusedStatus: 400}) === 'ok').toBe(exit === 'ok')
      },
    ),
    {numRuns: 300},
  )
})

test('in stop mode nothing is sent after a set that was not applied, and no row is sent twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Kind>('yes', 'index', 'none', 'all'), {maxLength: 6}), async (given) => {
      const {sent} = await run(given, 12, {setSize: 3, onError: 'stop'})

      const names = sent.flatMap((set) => set.names)
      expect(new Set(names).size).toBe(names.length)
      expect(sent.slice(0, -1).every(({kind}) => kind === 'yes')).toBe(true)
    }),
  )
})
