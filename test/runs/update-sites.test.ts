import {describe, expect, test} from 'vitest'
import {type JsonRecord, printJson} from '../../src/values/json.js'
import {createTestClient, failureOf} from '../support/client.js'
import {paged, reply, startVendor} from '../support/vendor.js'
import {addSite} from './add-records.js'
import {bulkFromFile} from './flow.js'
import {useSandboxRun} from './sandbox-run.js'
import {asStdin} from './sites.js'

const {sandbox, sent, remarks, run, requests} = useSandboxRun()

const site = (id: number): JsonRecord => sandbox().store.find('site', id) ?? {}

describe('a merge', () => {
  test('changes what the file says, and nothing else', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two'})
    const before = site(9002)
    const other = site(9001)

    const report = await run('sites.update', ['ID,Max Charge Price,contact.firstName', '9002,0777,Zoë'])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, plan: {sets: 1, requests: 2, rows: 1, unchanged: 0}})
    const contact = {...(before['contact'] as JsonRecord), firstName: 'Zoë'}
    expect(site(9002)).toEqual({...before, maxChargePrice: 777, contact})
    expect(site(9001)).toEqual(other)
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 1, 'sites.update': 1})
  })

  test('sends whole records without what the service sets, byte for byte', async () => {
    addSite(sandbox(), 9003, {name: 'Three', contact: null})
    const before = site(9003)

    await run('sites.update', ['id,commissionTerms,contact.lastName', '9003,Net60,"L, ""x"""'])

    const {isEnabled, ...rest} = before
    const whole = {...rest, commissionTerms: 'Net60', contact: {lastName: 'L, "x"'}}
    expect(isEnabled).toBeDefined()
    expect(sent).toEqual([printJson({records: [whole]})])
  })

  test('rows that change nothing are not sent, and keep their place', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two'})
    addSite(sandbox(), 9003, {name: 'Three'})
    const lines = ['id,name', '9001,One', '9002,Other', '9003,Three']

    const report = await run('sites.update', lines)

    expect(report.outcomes.map(({line, fate, code}) => [line, fate, code])).toEqual([
      [2, 'unchanged', 'UNCHANGED'],
      [3, 'applied', undefined],
      [4, 'unchanged', 'UNCHANGED'],
    ])
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1, unsent: 0, unchanged: 2}})
    expect(remarks).toEqual(['2 rows change nothing and are not sent (--send-unchanged sends them)'])
    expect(site(9002)['name']).toBe('Other')
  })

  test('a row with a problem is not counted as one that changes nothing', async () => {
    addSite(sandbox(), 9001, {name: 'One'})

    const failure = await failureOf(run('sites.update', ['id,name,maxChargePrice', '9001,One,"5,00"']))

    expect(failure.exit).toBe('invalid')
    expect(remarks).toEqual([])
  })

  test('a file of no changes is done, and nobody is asked', async () => {
    addSite(sandbox(), 9001, {name: 'One'})

    const report = await run('sites.update', ['id,name', '9001,One'], {confirm: async () => false})

    expect(report).toMatchObject({exit: 'ok', rows: {unchanged: 1}, sets: {planned: 0}})
    expect(remarks[0]).toMatch(/: nothing to do$/)
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 1})
  })

  test('is not sent where somebody changed another field of the record while the question was open', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two'})
    const change = () => sandbox().store.update('site', 9002, {...site(9002), maxChargePrice: 555})
    const lines = ['id,name', '9001,First', '9002,Second']

    const failure = await failureOf(
      run('sites.update', lines, {isAsked: true, confirm: async () => change() === undefined}),
    )
    const again = await run('sites.update', lines, {isAsked: true, confirm: async () => true})

    expect(failure).toMatchObject({code: 'RECORD_CHANGED', exit: 'incomplete'})
    expect(failure.message).toBe('1 record changed while the question was open (9002); nothing was sent.')
    expect(again).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(site(9002)).toMatchObject({name: 'Second', maxChargePrice: 555})
  })

  test('what is odd in the record already, and stays, is no warning', async () => {
    addSite(sandbox(), 9001, {name: '3-Jan'})
    addSite(sandbox(), 9002, {name: 'Two'})

    const back = await run('sites.update', ['id,name', '9001,3-Jan', '9002,Two'])
    const changed = await run('sites.update', ['id,name', '9001,3-Jan', '9002,4-Jan'])

    expect(back).toMatchObject({exit: 'ok', warnings: []})
    expect(changed.warnings).toMatchObject([{line: 3, columnName: 'name'}])
  })

  test('refusals find their line also behind rows that were not sent', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two'})
    addSite(sandbox(), 9003, {name: 'Three'})

    const report = await run('sites.update', ['name,id', 'One,9001', 'New,9002', 'New,9003'])

    expect(report).toMatchObject({exit: 'refused', rows: {refused: 1, rolledBack: 1, unchanged: 1}})
    expect(report.refusals).toMatchObject([{line: 4, column: 1, cell: 'New', code: 'NAME_UNIQUENESS', pointer: 9003}])
    expect(site(9002)['name']).toBe('Two')
  })

  test('an id that does not exist stops the run before anything is sent, and every one is named', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    const lines = ['name,id', 'A,77', 'B,9001', 'C,888']

    const failure = await failureOf(run('sites.update', lines))

    expect(failure).toMatchObject({exit: 'invalid', code: 'INVALID_INPUT', changed: 'none'})
    expect(failure.entries.map(({line, column, code, message}) => [line, column, code, message])).toEqual([
      [2, 2, 'MISSING_RECORD', 'id: no site 77 exists that this login may see'],
      [4, 2, 'MISSING_RECORD', 'id: no site 888 exists that this login may see'],
    ])
    expect(sent).toEqual([])
  })

  test('4,500 sites are 3 reads, their sets and one login', async () => {
    for (let id = 10_001; id <= 14_500; id++) addSite(sandbox(), id, {name: `Site ${id}`})
    const lines = Array.from({length: 4_500}, (_, index) => `${10_001 + index},7`)

    const report = await run('sites.update', ['id,maxChargePrice', ...lines])

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 4_500}, plan: {requests: 12}})
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 3, 'sites.update': 9})
    expect(site(14_500)['maxChargePrice']).toBe(7)
  })
})

describe('the file', () => {
  test('more records than allowed are not sent', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two'})

    const failure = await failureOf(run('sites.update', ['id,maxChargePrice', '9001,1', '9002,1'], {maximumRecords: 1}))

    expect(failure).toMatchObject({exit: 'limited', code: 'TOO_MANY_RECORDS', changed: 'none'})
    expect(sent).toEqual([])
  })
})

describe('zeros that the record has and the file lost', () => {
  const lines = ['id,externalAccountTerminalId', '9001,3', '9002,4']
  const terminal = 'externalAccountTerminalId'

  test('stop the run, by cell', async () => {
    addSite(sandbox(), 9001, {name: 'One', [terminal]: '0003'})
    addSite(sandbox(), 9002, {name: 'Two', [terminal]: '5'})

    const failure = await failureOf(run('sites.update', lines))
    const dry = await run('sites.update', lines, {dryRun: true})

    expect(failure).toMatchObject({exit: 'invalid', entries: [{code: 'SPREADSHEET_DAMAGE', line: 2, column: 2}]})
    expect(failure.entries[0]?.message).toBe(
      `${terminal}: "3" lost its leading zeros: the record has "0003"; if it is meant, add: --allow-damage ${terminal}`,
    )
    expect(dry).toMatchObject({exit: 'invalid', entries: failure.entries})
    expect(sent).toEqual([])
  })

  test('are sent when their column was looked at, named as in the file or by the contract', async () => {
    addSite(sandbox(), 9001, {name: 'One', [terminal]: '0003'})
    addSite(sandbox(), 9002, {name: 'Two', [terminal]: '0004'})
    const named = ['id,Terminal', '9001,3']
    const map = {Terminal: terminal}

    expect(await run('sites.update', named, {map, allowDamage: ['terminal']})).toMatchObject({rows: {applied: 1}})
    expect(await run('sites.update', lines, {allowDamage: [terminal]})).toMatchObject({rows: {applied: 1}})
    expect([site(9001)[terminal], site(9002)[terminal]]).toEqual(['3', '4'])
  })

  test('other damage of that column is sent with a warning, and a column that is none is refused', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    const cut = ['id,externalAccountTerminalId', '9001,1.2E+05']

    const report = await run('sites.update', cut, {allowDamage: [terminal]})
    const failure = await failureOf(run('sites.update', cut, {allowDamage: ['terminal']}))

    expect(report).toMatchObject({rows: {applied: 1}, warnings: [{code: 'SPREADSHEET_DAMAGE'}]})
    expect(failure.entries).toMatchObject([{code: 'UNKNOWN_COLUMN'}, {code: 'SPREADSHEET_DAMAGE'}])
  })
})

describe('--replace', () => {
  const header = 'id,accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

  test('sends exactly the file, once the record differs from it', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    const {accountId, orgId} = site(9001)
    const lines = [header, `9001,${accountId},${orgId},Other,true,1,2,Net10`]

    const report = await run('sites.update', lines, {replace: true})
    const again = await run('sites.update', lines, {replace: true})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(again).toMatchObject({exit: 'ok', rows: {applied: 0, unchanged: 1}})
    expect(site(9001)).toMatchObject({name: 'Other', contact: null, billingAddress: null, isEnabled: true})
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 2, 'sites.update': 1})
  })

  test('needs every required field in the file', async () => {
    const failure = await failureOf(run('sites.update', ['id,name', '9001,Other'], {replace: true}))

    expect(failure.entries).toHaveLength(6)
    expect(failure.entries[0]).toMatchObject({code: 'MISSING_COLUMN'})
  })
})

describe('a dry run', () => {
  test('shows field by field what would change, and sends no write', async () => {
    addSite(sandbox(), 9001, {name: 'One'})
    addSite(sandbox(), 9002, {name: 'Two', contact: null})

    const report = await run('sites.update', ['name,id,contact.firstName', 'One,9001,', 'Other,9002,Bo'], {
      dryRun: true,
    })

    const place = 'account 201'
    expect(report.comparison).toEqual({
      changes: [
        {line: 3, id: 9002, name: 'Two', place, field: 'name', from: 'Two', to: 'Other'},
        {line: 3, id: 9002, name: 'Two', place, field: 'contact.firstName', from: null, to: 'Bo'},
      ],
      missing: [],
      unchanged: 1,
    })
    expect(report).toMatchObject({exit: 'ok', plan: {sets: 1, requests: 2, rows: 1, unchanged: 1}})
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 1})
  })

  test('calls no row unchanged that has a problem', async () => {
    addSite(sandbox(), 9001, {name: 'One', maxChargePrice: 5})
    addSite(sandbox(), 9002, {name: 'Two', maxChargePrice: 5})

    const report = await run('sites.update', ['id,maxChargePrice', '9001,abc', '9002,5'], {dryRun: true})

    expect(report).toMatchObject({exit: 'invalid', rows: {unsent: 1, unchanged: 1}, plan: {rows: 1, unchanged: 1}})
    expect(report.outcomes.at(0)).toMatchObject({line: 2, fate: 'unsent'})
  })

  test('tells the records of a JSON array on one line apart', async () => {
    addSite(sandbox(), 9001, {name: 'One', maxChargePrice: 5})
    addSite(sandbox(), 9002, {name: 'Two', maxChargePrice: 5})
    const lineOf = (...prices: (number | string)[]) =>
      printJson(prices.map((maxChargePrice, place) => ({id: 9001 + place, maxChargePrice})))

    const first = await run('sites.update', [lineOf(-5, 5)], {dryRun: true})
    const second = await run('sites.update', [lineOf(5, 'abc')], {dryRun: true})

    expect(first).toMatchObject({exit: 'invalid', entries: [{line: 1, column: 2}], rows: {unsent: 1, unchanged: 1}})
    expect(second).toMatchObject({exit: 'invalid', entries: [{line: 1, row: 2}], rows: {unsent: 1, unchanged: 1}})
  })

  test('names every id that does not exist, and fails as the run would', async () => {
    addSite(sandbox(), 9001, {name: 'One'})

    const report = await run('sites.update', ['id,name', '77,A', '9001,Other'], {dryRun: true, detailedExit: true})

    expect(report).toMatchObject({exit: 'invalid', comparison: {missing: [{line: 2, id: 77}], changes: [{id: 9001}]}})
    expect(report.entries).toMatchObject([{line: 2, code: 'MISSING_RECORD', exit: 3, changed: 'none'}])
  })
})

test('a service that spells fields its own way loses none of them; digits go round', async () => {
  const record =
    '{"Id":7,"AccountId":1,"OrgId":2,"Name":"A","IsActive":true,"MaxChargePrice":9007199254740993,"MaximumMeterSalesJumpAllowed":10,"CommissionTerms":"Net10","IsEnabled":true,"loyalty":{"rate":1.10}}'
  await using service = await startVendor((socket, _seen, number) => {
    socket.end(number === 1 ? reply(200, `[${record}]`, paged(1, 2_000, 1)) : reply(204, ''))
  })
  const {client} = createTestClient(service.url)

  const report = await bulkFromFile('sites.update', {client, ...asStdin(['id,name', '7,B'])})

  expect(report.exit).toBe('ok')
  expect(report.notices).toEqual([
    'the service returned no contact, commissionPercentage, timeZone, billingAddress, shippingAddress, externalAccountTerminalId, chargeKeyId: a value there, if any, is set to null',
  ])
  expect(service.seen.map(({body}) => body)).toEqual([
    '{"requestFilter":{"siteIds":[7]},"routeFilter":{},"body":[]}',
    '{"requestFilter":{},"routeFilter":{},"body":[{"id":7,"accountId":1,"orgId":2,"name":"B","isActive":true,"maxChargePrice":9007199254740993,"maximumMeterSalesJumpAllowed":10,"commissionTerms":"Net10","loyalty":{"rate":1.10}}]}',
  ])
})
