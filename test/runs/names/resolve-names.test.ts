import {describe, expect, test} from 'vitest'
import type {WriteId} from '../../../src/contract/index.js'
import {type NameFlags, toNames} from '../../../src/runs/check/name-lookup.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {useSandboxRun} from '../sandbox-run.js'

const {sandbox, client, sent, run, requests} = useSandboxRun()

const site = (id: number): JsonRecord => sandbox().store.find('site', id) ?? {}
const addSite = (id: number, name: string, more: JsonRecord = {}) =>
  sandbox().add('site', {...site(1001), id, name, ...more})

const named = (operation: WriteId, lines: readonly string[], flags: NameFlags, more = {}) =>
  run(operation, lines, {names: toNames(operation, flags), ...more})

async function problemsOf(operation: WriteId, lines: readonly string[], flags: NameFlags) {
  const {entries, exit} = await failureOf(named(operation, lines, flags))
  expect(exit).toBe('invalid')
  expect(sent).toEqual([])
  return entries.map(({line, code, message}) => `${line} ${code} ${message}`)
}

describe('--match', () => {
  test('finds the records in one read, which also serves the merge', async () => {
    addSite(9001, 'One')
    const before = site(9001)

    const report = await named('sites.update', ['Name,accountId,maxChargePrice', 'One,201,777'], {
      match: ['name,accountId'],
    })

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, plan: {requests: 2}, outcomes: [{line: 2, id: 9001}]})
    expect(site(9001)).toEqual({...before, maxChargePrice: 777})
    expect(requests()).toEqual({'auth.login': 1, 'sites.list': 1, 'sites.update': 1})
  })

  test('names the records when several fit, and what tells them apart', async () => {
    addSite(9001, 'Twin')
    addSite(9002, 'Twin', {accountId: 202, orgId: 102})

    expect(await problemsOf('sites.update', ['name,maxChargePrice', 'Twin,777'], {match: 'name'})).toEqual([
      '2 AMBIGUOUS_RECORD name: 2 sites with name "Twin": 9001 (accountId 201), 9002 (accountId 202); add accountId to --match',
    ])
    await named('sites.update', ['name,accountId,maxChargePrice', 'Twin,202,777'], {match: 'name,accountId'})
    expect(site(9002)['maxChargePrice']).toBe(777)
  })

  test('suggests what differs in case, blanks or lost zeros, and never takes it', async () => {
    addSite(9001, 'North  Hall')
    addSite(9002, '00123')

    expect(await problemsOf('sites.update', ['name', 'north hall', 'Nowhere', '123'], {match: 'name'})).toEqual([
      '2 MISSING_RECORD name: no site with name "north hall" exists that this login may see; write "North  Hall"',
      '3 MISSING_RECORD name: no site with name "Nowhere" exists that this login may see',
      '4 MISSING_RECORD name: no site with name "123" exists that this login may see; write 00123',
    ])
  })

  test('refuses empty cells, two rows of one record, and an id that says otherwise', async () => {
    addSite(9001, 'One')
    addSite(9002, 'Two')
    const lines = ['id,name,maxChargePrice', ',One,1', ',One,2', '9002,,3', '9001,Two,4', '9003,Two,5']

    expect(await problemsOf('sites.update', lines, {match: 'name'})).toEqual([
      '3 DUPLICATE_RECORD name: site 9001 as in line 2',
      '4 MISSING_VALUE name: required, but the cell is empty',
      '5 CONTRADICTION id: 9001, but name "Two" is site 9002',
      '6 CONTRADICTION id: 9003, but name "Two" is site 9002',
    ])
  })

  test('reads the records of the names and of their likely spellings, and no others', async () => {
    const {prose} = sandbox().store.find('machine', 5001) ?? {}
    const asked: unknown[] = []
    const watched: ReturnType<typeof client> = {
      ...client(),
      readPages: (id, request) => {
        asked.push(request?.filters)
        return client().readPages(id, request)
      },
    }

    const lines = ['prose,name', `${String(prose).toLowerCase()},New`]
    const {entries} = await failureOf(named('machines.update', lines, {match: 'prose'}, {client: watched}))

    expect(entries).toMatchObject([{code: 'MISSING_RECORD', message: expect.stringContaining(`write ${prose}`)}])
    expect(asked).toEqual([{machineIdentifiers: [String(prose).toLowerCase(), prose]}])
  })

  test('an id of a row whose name nobody has is not made anew', async () => {
    const taking = {match: [], lookups: [], ...toNames('sites.update', {match: 'name'}), takesNew: true}
    const failure = await failureOf(run('sites.update', ['id,name,maxChargePrice', '1001,Nowhere,5'], {names: taking}))

    expect(failure.entries).toMatchObject([
      {
        line: 2,
        code: 'CONTRADICTION',
        message: 'id: 1001 is the id of a site, but none with name "Nowhere" exists; empty the cell to create one',
      },
    ])
  })

  test('takes a name that a list escaped for a spreadsheet for what it is', async () => {
    addSite(9001, '=1+1')

    await named('sites.update', ['name,maxChargePrice', "'=1+1,777"], {match: 'name'})

    expect(site(9001)).toMatchObject({name: '=1+1', maxChargePrice: 777})
  })

  test('takes no name for another that differs by the apostrophe of an escaped formula', async () => {
    addSite(9001, '=1+1')
    addSite(9002, "'=1+1")

    expect(await problemsOf('sites.update', ['name,maxChargePrice', "'=1+1,777"], {match: 'name'})).toEqual([
      `2 AMBIGUOUS_RECORD name: 2 sites with name "'=1+1": 9002 (name "'=1+1"), 9001 (name "=1+1"); give the column id instead`,
    ])
  })

  test('takes one read for many rows, whose accounts take one more', async () => {
    const numbers = Array.from({length: 300}, (_, index) => index)
    for (const index of numbers) addSite(9001 + index, `Site ${index}`, {accountId: 201})
    const lines = ['name,account.name,maxChargePrice', ...numbers.map((index) => `Site ${index},Hospitals,${index}`)]

    const flags = {match: 'name,accountId', lookup: 'accountId=name'}
    const report = await named('sites.update', lines, flags)

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 300}, plan: {requests: 3}})
    expect(requests()).toEqual({'auth.login': 1, 'accounts.list': 1, 'sites.list': 1, 'sites.update': 1})
  })

  test('takes columns that the write never sends, of alerts by machine and code', async () => {
    const [alert = {}] = sandbox()
      .store.read('alert')
      .filter(({isCleared}) => isCleared === false)
    const {id = null, machineId, code} = alert
    const lines = ['machineId,code,message', `${machineId},${code},Looked at`]

    const report = await named('alerts.update', lines, {match: ['machineId', 'code']})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
    expect(sent).toEqual([`{"records":[{"id":${id},"message":"Looked at"}]}`])
  })

  test('clears open alerts only', async () => {
    const alerts = sandbox().store.read('alert')
    const open = alerts.find(({isCleared}) => isCleared === false) ?? {}
    const done = alerts.find(({isCleared}) => isCleared === true) ?? {}
    const lines = (of: JsonRecord) => ['Machine ID,message', `${of['machineId']},"${of['message']}"`]

    expect(await problemsOf('alerts.clear', lines(done), {match: 'machineId,message'})).toEqual([
      expect.stringMatching(/^2 MISSING_RECORD machineId: no open alert with machineId .*; already cleared: \d+$/),
    ])
    await named('alerts.clear', lines(open), {match: 'machineId,message'})
    expect(sandbox().store.find('alert', Number(open['id']))).toMatchObject({isCleared: true})
  })

  test('reads JSON, where an empty text names nothing', async () => {
    addSite(9001, 'One')
    const lines = ['{"Name":"One","maxChargePrice":5}', '{"name":"","maxChargePrice":5}', '{"maxChargePrice":5}']

    expect(await problemsOf('sites.update', lines, {match: 'name'})).toEqual([
      '2 MISSING_VALUE name: empty, but --match needs it',
      '3 MISSING_VALUE name: required, but the record does not have it',
    ])
    await named('sites.update', lines.slice(0, 1), {match: 'name'}, {format: 'ndjson'})
    expect(site(9001)['maxChargePrice']).toBe(5)
  })

  test('an incomplete read is never taken for a missing record', async () => {
    sandbox().faults.set(['hdr(total-pages,3)@sites.list'])

    const failure = await failureOf(named('sites.update', ['name', 'Nowhere'], {match: 'name'}))

    expect(failure).toMatchObject({exit: 'incomplete', code: 'PAGE_EMPTY'})
    expect(sent).toEqual([])
  })
})

describe('--lookup', () => {
  const [prose, other] = ['PRS100000', 'PRS100001']

  test('fills in the id in one read', async () => {
    const lines = ['PROSE,key,value', `${prose},loc,1`, `${other},loc,2`]

    const report = await named('machines.custom-data.create', lines, {lookup: 'machineId=prose'})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, plan: {requests: 2}})
    expect(sent).toEqual([
      '{"records":[{"key":"loc","value":"1","machineId":5001},{"key":"loc","value":"2","machineId":5002}]}',
    ])
    expect(requests()).toEqual({'auth.login': 1, 'machines.list': 1, 'machines.custom-data.create': 1})
  })

  test('says what is missing, and suggests a serial in another case', async () => {
    const lines = ['prose,key,value', 'prs100000,loc,1', ',loc,2', 'X,loc,3', `${prose},loc,1`, `${prose},loc,1`]

    expect(await problemsOf('machines.custom-data.create', lines, {lookup: 'machineId=prose'})).toEqual([
      '2 MISSING_RECORD prose: no machine with prose "prs100000" exists that this login may see; write PRS100000',
      '3 MISSING_VALUE prose: required, but the cell is empty',
      '4 MISSING_RECORD prose: no machine with prose "X" exists that this login may see',
      '6 DUPLICATE_RECORD prose: the same machineId and key as in line 5',
    ])
  })

  test('a name in two accounts needs the account, and the row may give it by name', async () => {
    addSite(9001, 'Twin')
    addSite(9002, 'Twin', {accountId: 202, orgId: 102})
    const header = 'machineId,code,message,site'
    const flags = {lookup: ['siteId=name', 'accountId=name']}
    const map = {site: 'site.name', account: 'account.name'}

    const failure = await failureOf(
      named('alerts.create', [header, '5001,NS,m,Twin'], {lookup: 'siteId=name'}, {map: {site: 'site.name'}}),
    )
    const report = await named('alerts.create', [`${header},account`, '5001,NS,m,Twin,Rail stations'], flags, {
      map,
      dryRun: true,
    })

    expect(failure.entries.map(({message}) => message)).toEqual([
      'name: 2 sites with name "Twin": 9001 (accountId 201), 9002 (accountId 202); add the column accountId, or give siteId',
    ])
    expect(report).toMatchObject({exit: 'ok', rows: {unsent: 1}})
  })

  test('an id beside the name must be the same', async () => {
    const lines = ['machineId,prose,key,value', `5001,${prose},a,1`, `5002,${prose},b,2`]

    expect(await problemsOf('machines.custom-data.create', lines, {lookup: 'machineId=prose'})).toEqual([
      '3 CONTRADICTION prose: prose "PRS100000" is machine 5001, but machineId is 5002',
    ])
  })

  test('a column that is not there is named, with what else is wrong', async () => {
    expect(await problemsOf('sites.update', ['id,name', '1001,x'], {lookup: 'accountId=name'})).toEqual([
      '1 MISSING_COLUMN account.name: named by --lookup accountId=name (the column name is that of the site), but the file has no such column',
    ])
  })

  test('names the account of a match', async () => {
    addSite(9001, 'One')
    const lines = ['name,accountName,maxChargePrice', 'One,Hospitals,777']

    const report = await named('sites.update', lines, {match: 'name,accountId', lookup: 'accountId=name'})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}, plan: {requests: 3}})
    expect(requests()).toMatchObject({'sites.list': 1, 'accounts.list': 1, 'sites.update': 1})
  })
})
