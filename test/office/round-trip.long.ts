import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect} from 'vitest'
import {isRecord, type JsonRecord, type JsonValue, parseJson} from '../../src/values/json.js'
import {type Home, type Service, test} from '../support/binary.js'
import {nastySite} from '../support/nasty.js'
import {type OfficeFormat, saveByOffice} from './office.js'

const firstId = 20_001
const readOnly = ['--dry-run', '--json'] as const

/** Sites of every nasty text, and the file that lists them. */
async function listNasty({sandbox, run}: Service, {path}: Home, format: 'xlsx' | 'csv', ...more: string[]) {
  const [first = {}] = sandbox.store.read('site')
  const sites = fc.sample(nastySite({strange: false}), {numRuns: 100, seed: 7})
  const ids = sites.map((site, place) => {
    sandbox.add('site', {...first, ...site, id: firstId + place})
    return firstId + place
  })
  const file = join(path, `sites.${format}`)
  const ran = await run(['sites', 'list', '--site', ids.join(), '-o', format, '--output-file', file, ...more])
  expect(ran.exitCode, ran.stderr).toBe(0)
  return file
}

/** What an update from this file would do. */
async function foresee({run}: Service, file: string, ...more: string[]) {
  const {exitCode, stdout} = await run(['sites', 'update', '--file', file, ...readOnly, ...more])
  const {data, errors, warnings} = toRecord(parseJson(stdout))
  return {exitCode, changes: listOf(toRecord(data)['changes']), errors: listOf(errors), warnings}
}

function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

function listOf(value: JsonValue | undefined): JsonRecord[] {
  return Array.isArray(value) ? value.filter((one) => isRecord(one)) : []
}

describe('a list that LibreOffice opened and saved goes back unchanged', () => {
  const trips: readonly (readonly ['xlsx' | 'csv', OfficeFormat, ...string[]])[] = [
    ['xlsx', 'xlsx'],
    ['xlsx', 'csv'],
  ]

  test.for(trips)('%s saved as %s; and an edited record is one change', async ([made, saved], {start, home}) => {
    const service = await start({limits: false})
    const {store} = service.sandbox
    const back = await saveByOffice(await listNasty(service, home, made), saved)

    const unchanged = await foresee(service, back)
    const record = store.find('site', firstId) ?? {}
    store.update('site', firstId, {...record, billingAddress: 'Changed since'}, {})
    const changed = await foresee(service, back)

    expect(unchanged).toEqual({exitCode: 0, changes: [], errors: [], warnings: []})
    expect(changed).toMatchObject({
      exitCode: 0,
      changes: [{id: firstId, field: 'billingAddress', from: 'Changed since'}],
    })
    expect(changed.changes).toHaveLength(1)
  })

  test.for<readonly [OfficeFormat, ...string[]]>([['csv'], ['csv', '--csv-dialect', 'excel'], ['xlsx']])(
    'csv saved as %s: what it damages is named, cell by cell',
    async ([saved, ...dialect], {start, home}) => {
      const service = await start({limits: false})
      const back = await saveByOffice(await listNasty(service, home, 'csv', ...dialect), saved)

      const {changes, errors} = await foresee(service, back)

      const named = new Set(errors.map(({line, message}) => `${line} ${String(message).split(':')[0]}`))
      const silent = changes.filter(({line, field}) => !named.has(`${line} ${field}`))
      expect(silent).toEqual([])
    },
  )
})

test('a file of OpenDocument is refused with what to do', async ({start, home}) => {
  const service = await start({limits: false})
  const file = await saveByOffice(await listNasty(service, home, 'xlsx'), 'ods')

  const ran = await service.run(['sites', 'update', '--file', file, '--dry-run'])

  expect(ran.exitCode).toBe(3)
  expect(ran.stderr).toContain('xlsx')
})
