import {expect, test} from 'vitest'
import {printJson} from '../../src/values/json.js'
import {idsOf, openSandbox, newSite as site} from './ask.js'

const {sandbox, caller} = await openSandbox()

test.each([
  [{name: undefined}, 421, 'MISSING_REQUIRED_DATA', 'name is required.'],
  [{name: null}, 421, 'MISSING_REQUIRED_DATA', 'name is required.'],
  [{name: ''}, 421, 'MISSING_REQUIRED_DATA', 'name is required.'],
  [{isActive: undefined}, 421, 'MISSING_REQUIRED_DATA', 'isActive is required.'],
  [{commissionTerms: undefined}, 421, 'MISSING_REQUIRED_DATA', 'commissionTerms is required.'],
  [{maxChargePrice: '500'}, 400, 'DESERIALIZATION_ERROR', 'maxChargePrice must be an integer.'],
  [{maxChargePrice: 1.5}, 400, 'DESERIALIZATION_ERROR', 'maxChargePrice must be an integer.'],
  [{isActive: 'true'}, 400, 'DESERIALIZATION_ERROR', 'isActive must be true or false.'],
  [{name: 5}, 400, 'DESERIALIZATION_ERROR', 'name must be text.'],
  [{contact: 'Ada'}, 400, 'DESERIALIZATION_ERROR', 'contact must be an object.'],
  [{contact: {emailAddress: 1}}, 400, 'DESERIALIZATION_ERROR', 'contact.emailAddress must be text.'],
  [{maxChargePrice: -1}, 422, 'SITE_VALIDATION', 'maxChargePrice must be at least 0.'],
  [{accountId: 0}, 422, 'SITE_VALIDATION', 'accountId must be at least 1.'],
  [{chargeKeyId: 0}, 422, 'SITE_VALIDATION', 'chargeKeyId must be at least 1.'],
  [{name: 'x'.repeat(101)}, 422, 'SITE_VALIDATION', 'name must be at most 100 characters long.'],
  [{timeZone: 'x'.repeat(51)}, 422, 'SITE_VALIDATION', 'timeZone must be at most 50 characters long.'],
  [{timeZone: 'Mars Standard Time'}, 422, 'SITE_VALIDATION', 'timeZone is not a known time zone.'],
  [{billingAddress: 'x'.repeat(301)}, 422, 'SITE_VALIDATION', 'billingAddress must be at most 300 characters long.'],
  [{commissionTerms: 'Net11'}, 422, 'SITE_VALIDATION', 'commissionTerms must be one of'],
  [{accountId: 999}, 404, 'MISSING_RECORD', 'Account does not exist.'],
  [{accountId: 202}, 422, 'SITE_VALIDATION', 'accountId names an account of another organization.'],
  [{orgId: 999}, 404, 'MISSING_RECORD', 'Organization does not exist.'],
  [{chargeKeyId: 306}, 422, 'GLOBAL_CHARGE_KEY', 'chargeKeyId names a global charge key.'],
  [{chargeKeyId: 302}, 422, 'SITE_VALIDATION', 'chargeKeyId names a charge key of another organization.'],
  [{chargeKeyId: 999}, 404, 'MISSING_RECORD', 'Charge key does not exist.'],
  [{name: 'Ferry Quay'}, 400, 'NAME_UNIQUENESS', 'A site with this name already exists in its account.'],
])('refuses a create with %j, names the element, and creates nothing', async (change, status, code, message) => {
  const set = [
    {...site, name: 'First'},
    {...site, ...change},
    {...site, name: 'Last'},
  ]

  const reply = await caller.ask('PUT', '/sites', {body: set})

  expect(reply).toMatchObject({status, json: [{code, pointers: [1], pointerName: 'index'}]})
  expect(reply.text).toContain(message)
  expect(sandbox.store.count('site')).toBe(38)
})

test('accepts what stands exactly on its bounds', async () => {
  const bounds = {name: 'x'.repeat(100), maxChargePrice: 0, billingAddress: 'y'.repeat(300), chargeKeyId: 301}

  const reply = await caller.ask('PUT', '/sites', {
    body: [{...site, ...bounds, timeZone: 'UTC', commissionPercentage: 0}],
  })

  expect(reply).toMatchObject({status: 200, json: [1041]})
})

test('names every guilty element of a set, of each kind of guilt', async () => {
  const set = [
    {...site, name: 'Ferry Quay'},
    {...site, maxChargePrice: 'x'},
    {...site, name: 'Fine'},
    {...site, maxChargePrice: true},
    {...site, name: undefined},
    {...site, name: 'Fine'},
    {...site, name: 'Bad', chargeKeyId: 306},
    7,
  ]

  const reply = await caller.ask('PUT', '/sites', {body: set})

  expect(reply.status).toBe(400)
  expect(reply.json).toMatchObject([
    {code: 'DESERIALIZATION_ERROR', message: 'maxChargePrice must be an integer.', pointers: [1, 3]},
    {code: 'DESERIALIZATION_ERROR', message: 'An element of body must be an object.', pointers: [7]},
    {code: 'MISSING_REQUIRED_DATA', pointers: [4]},
    {code: 'GLOBAL_CHARGE_KEY', pointers: [6]},
    {code: 'NAME_UNIQUENESS', pointers: [0, 5]},
  ])
  expect(sandbox.store.count('site')).toBe(38)
})

test.each([
  [undefined, 421, 'MISSING_REQUIRED_DATA'],
  ['{}', 421, 'MISSING_REQUIRED_DATA'],
  [{body: []}, 421, 'MISSING_REQUIRED_DATA'],
  [{body: null}, 421, 'MISSING_REQUIRED_DATA'],
  [{body: site}, 400, 'DESERIALIZATION_ERROR'],
  [{body: 'x'}, 400, 'DESERIALIZATION_ERROR'],
])('refuses a create whose body is %j', async (body, status, code) => {
  const reply = await caller.ask('PUT', '/sites', body)

  expect(reply).toMatchObject({status, json: [{code, pointers: ['body'], pointerName: 'name'}]})
})

test('takes the same name in another account', async () => {
  const reply = await caller.ask('PUT', '/sites', {body: [{...site, name: 'Ferry Quay', accountId: 206}]})

  expect(reply.status).toBe(200)
})

test.each([
  [{id: undefined}, 421, 'MISSING_REQUIRED_DATA', 1, 'index'],
  [{id: '1013'}, 400, 'DESERIALIZATION_ERROR', 1, 'index'],
  [{id: 1013, chargeKeyId: 306}, 422, 'GLOBAL_CHARGE_KEY', 1013, 'id'],
  [{id: 1013, name: 'Changed'}, 400, 'NAME_UNIQUENESS', 1013, 'id'],
  [{id: 1013, maxChargePrice: -5}, 422, 'SITE_VALIDATION', 1013, 'id'],
])('refuses an update with %j', async (change, status, code, pointer, pointerName) => {
  const reply = await caller.ask('PATCH', '/sites', {
    body: [
      {...site, id: 1001, name: 'Changed'},
      {...site, ...change},
    ],
  })

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(sandbox.store.find('site', 1001)).toMatchObject({name: 'Ferry Quay'})
})

test('lets a set swap two names', async () => {
  const [first, second] = [sandbox.store.find('site', 1001), sandbox.store.find('site', 1013)]
  const set = [
    {...first, name: second?.['name']},
    {...second, name: first?.['name']},
  ]

  const reply = await caller.ask('PATCH', '/sites', {body: set})

  expect(reply.status).toBe(204)
  expect(sandbox.store.find('site', 1013)?.['name']).toBe('Ferry Quay')
})

test('lets a site keep its own name', async () => {
  const reply = await caller.ask('PATCH', '/sites', {body: [{...site, id: 1001, name: 'Ferry Quay'}]})

  expect(reply.status).toBe(204)
})

test('moves everything that stands at a site with it', async () => {
  const [machine] = sandbox.store.read('machine')
  const {id: machineId, siteId, organizationId} = machine ?? {}
  const target = organizationId === 102 ? {orgId: 103, accountId: 203} : {orgId: 102, accountId: 202}
  const created = await caller.ask('PUT', '/alerts', {body: [{machineId, code: 'CJ', message: 'before'}]})
  const alertIds = created.json
  sandbox.add('batch', {
    id: 'B900000',
    machineId: machineId ?? null,
    siteId: siteId ?? null,
    recordedAtUtc: '2024-07-04',
  })
  const within = {accountIds: [target.accountId]}
  const batches = {
    requestFilter: {...within, StartDate: '2024-07-01'},
    routeFilter: {transactionIdentifiers: ['B900000']},
  }

  const moved = await caller.ask('PATCH', '/sites', {body: [{...site, id: siteId, ...target}]})
  const machines = await caller.ask('GET', '/machines', {
    requestFilter: {...within, organizationIds: [target.orgId], machineIdentifiers: [String(machineId)]},
  })
  const alerts = await caller.ask('GET', '/alerts', {
    requestFilter: {organizationIds: [target.orgId]},
    routeFilter: {alertIds},
  })
  const transactions = await caller.ask('GET', '/transactions', batches)

  expect(moved.status).toBe(204)
  expect(machines.text).toBe(printJson([{...machine, organizationId: target.orgId}]))
  expect(alerts.json).toMatchObject([{organizationId: target.orgId, accountId: target.accountId, siteId}])
  expect(idsOf(transactions)).toEqual(['B900000'])
})
