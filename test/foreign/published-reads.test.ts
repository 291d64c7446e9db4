import {describe, expect} from 'vitest'
import {idsOf, test} from '../support/foreign.js'

const selections = [
  '{"id":1,"machineId":11,"selectionNumber":6,"price":1.50,"count":3}',
  '{"id":2,"machineId":11,"selectionNumber":"6","price":10.10,"count":0}',
  '{"id":3,"machineId":12,"selectionNumber":"06","price":0.10,"count":9007199254740993}',
  '{"id":4,"machineId":12,"selectionNumber":null,"price":2,"count":1}',
]
const rows = {'/selections': selections, '/machines': ['{"id":11,"prose":"PRS11"}', '{"id":12,"prose":"PRS12"}']}

describe('a selection number that comes as a number or as a text', () => {
  test.concurrent.for([
    ['selectionNumber=6', ['1', '2']],
    ['selectionNumber!=6', ['3', '4']],
    ['selectionNumber=06', ['3']],
    ['selectionNumber=', ['4']],
    ['price=10.1', ['2']],
  ] as const)('is found by --where %s', async ([where, ids], {visit}) => {
    const service = await visit({rows})

    const ran = await service.run(['selections', 'list', '--where', where, '-o', 'ndjson'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran)).toEqual(ids)
  })

  test.concurrent('is a text in every format, and prices keep their digits', async ({visit}) => {
    const service = await visit({rows})
    const print = (...words: string[]) => service.run(['selections', 'list', ...words])

    const csv = await print('-o', 'csv', '--columns', 'selectionNumber,price,count')
    const json = await print('-o', 'ndjson', '--limit', '2')
    const sorted = await print('-o', 'csv', '--columns', 'id', '--sort', 'selectionNumber,id')

    expect(csv.stdout).toBe('selectionNumber,price,count\n6,1.50,3\n6,10.10,0\n06,0.10,9007199254740993\n,2,1\n')
    expect(json.stdout).toContain('"selectionNumber":"6","price":1.50')
    expect(json.stdout).toContain('"selectionNumber":"6","price":10.10')
    expect(sorted.stdout.split('\n')).toEqual(expect.arrayContaining(['1', '2', '3', '4']))
  })
})

describe('--machine by PROSE', () => {
  test.concurrent('takes records that carry the id of the machine only', async ({visit}) => {
    const all = {...rows, '/selections': selections.slice(2)}
    const service = await visit({rows: all, answer: ({path}) => (path === '/selections' ? page(all[path]) : undefined)})

    const ran = await service.run(['selections', 'list', '--machine', 'PRS12', '-o', 'ndjson'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran)).toEqual(['3', '4'])
  })

  test.concurrent('stops at records of another machine', async ({visit}) => {
    const service = await visit({
      rows,
      stripsFilters: false,
      answer: ({path}) => (path === '/selections' ? page(selections) : undefined),
    })

    const ran = await service.run(['selections', 'list', '--machine', 'PRS12', '-o', 'ndjson'])

    expect(ran.exitCode).toBe(10)
    expect(ran.stderr).toContain('record 1 has machineId 11, which was not asked for')
  })

  test.concurrent('takes inventory, whose machines are texts', async ({visit}) => {
    const adjusted = ['{"id":"B1","machineId":"12","siteId":1,"adjustmentOccurredAt":"2024-07-01T10:00:00"}']
    const service = await visit({rows, answer: ({path}) => (path === '/inventory' ? page(adjusted) : undefined)})
    const list = (prose: string) =>
      service.run([
        'reports',
        'inventory',
        '--start',
        '2024-07-01',
        '--end',
        '2024-07-01',
        '--machine',
        prose,
        '-o',
        'ndjson',
      ])

    const right = await list('PRS12')
    const wrong = await list('PRS11')

    expect(right.exitCode).toBe(0)
    expect(idsOf(right)).toEqual(['B1'])
    expect(wrong).toMatchObject({exitCode: 10, stdout: ''})
  })

  test.concurrent('takes rights at machines, and stops at those of another', async ({visit}) => {
    const service = await visit({
      rows,
      answer: ({path}) => (path === '/roles/role-rights-at-machine' ? {body: '{"12":[3,4]}'} : undefined),
    })
    const list = (machine: string) => service.run(['roles', 'rights', '--machine', machine, '-o', 'csv'])

    const [prose, id, other] = [await list('PRS12'), await list('12'), await list('PRS11')]

    expect(prose).toMatchObject({exitCode: 0, stdout: 'machineId,rightId\n12,3\n12,4\n'})
    expect(id).toMatchObject({exitCode: 0, stdout: 'machineId,rightId\n12,3\n12,4\n'})
    expect(other.exitCode).toBe(10)
    expect(other.stderr).toContain('machineId 12')
  })
})

describe('names that services spell otherwise', () => {
  const odd = ['{"id":7,"organizationId":2,"loginId":"ana","LoginWasSuccessfull":false,"source":"Web"}']

  test.concurrent('are those of the contract in every format', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': odd}})
    const print = (...words: string[]) => service.run(['sessions', 'list', '-q', ...words])

    const csv = await print('-o', 'csv', '--columns', 'id,login,loginWasSuccessful')
    const json = await print('-o', 'ndjson')
    const found = await print(
      '--where',
      'loginWasSuccessful=false',
      '--where',
      'login=ana',
      '--columns',
      'id',
      '-o',
      'csv',
    )
    const envelope = await print('--json')

    expect(csv.stdout).toBe('id,login,loginWasSuccessful\n7,ana,false\n')
    expect(json.stdout).toBe('{"id":7,"organizationId":2,"login":"ana","loginWasSuccessful":false,"source":"Web"}\n')
    expect(found.stdout).toBe('id\n7\n')
    expect(JSON.parse(envelope.stdout).data).toEqual([
      {id: 7, organizationId: 2, login: 'ana', loginWasSuccessful: false, source: 'Web'},
    ])
  })
})

describe('what is not confirmed', () => {
  test.concurrent('is said with --verbose, once, and the path can be set', async ({visit}) => {
    const service = await visit({rows: {'/items': ['{"id":1,"name":"Cola"}']}})
    const words = ['products', 'list', '-o', 'csv']
    const environment = {VENDORCTL_ROUTES: 'products.list=/items'}

    const quiet = await service.run(words, {environment})
    const verbose = await service.run([...words, '-v'], {environment})
    const elsewhere = await service.run(words)

    expect(quiet).toMatchObject({exitCode: 0, stdout: 'id,name\n1,Cola\n', stderr: ''})
    expect(
      verbose.stderr.match(/Not confirmed by the service's documentation: its path and its fields\./g),
    ).toHaveLength(1)
    expect(elsewhere.exitCode).toBe(5)
  })

  test.concurrent('can be set for a write too', async ({visit}) => {
    const service = await visit({rows: {'/slots': [], '/selections': []}})
    const environment = {VENDORCTL_ROUTES: 'selections.create=/slots'}
    const input =
      'machineId,selectionNumber,price,invoicePrice,restockTo,depth,count,freeCount,commission\n11,6,1.50,0,8,10,3,0,0\n'

    const ran = await service.run(['selections', 'create', '-f', '-', '-v', '--yes'], {environment, input})

    expect(ran.exitCode).toBe(0)
    expect(service.calls()).toContain('PUT /slots')
    expect(ran.stderr).toContain("Not confirmed by the service's documentation: its path.")
  })
})

describe('doctor', () => {
  const everywhere = Object.fromEntries(
    [
      ...['/organizations', '/alerts/codes', '/selections', '/templates', '/template-selections'],
      ...['/machines/settings', '/products', '/machines', '/reports/transactions', '/inventory'],
    ].map((path) => [path, [] as string[]]),
  )

  test.concurrent('asks nine reads and is content where all of them answer', async ({visit}) => {
    const service = await visit({rows: everywhere})

    const ran = await service.run(['doctor', '--json'])

    const paths = JSON.parse(ran.stdout).data.find(({name}: {name: string}) => name === 'paths')
    expect(paths).toMatchObject({ok: true, text: '9 of 9 paths answer'})
    expect(service.asked.filter(({method}) => method !== 'GET').map(({path}) => path)).toEqual([
      '/token-test',
      '/authenticate',
    ])
  })

  test.concurrent('names the paths that answer in place of others, and keeps routes that are set', async ({visit}) => {
    const {'/inventory': _, '/products': __, '/reports/transactions': ___, ...rest} = everywhere
    const service = await visit({
      rows: {...rest, '/transactions': [], '/reports/inventory-adjustments': [], '/codes': []},
    })
    const environment = {VENDORCTL_ROUTES: 'alerts.codes=/codes'}

    const ran = await service.run(['doctor', '--json'], {environment})

    const paths = JSON.parse(ran.stdout).data.find(({name}: {name: string}) => name === 'paths')
    expect(ran.exitCode).toBe(5)
    expect(paths).toMatchObject({
      ok: false,
      text: '"reports transactions" is at /transactions, not at /reports/transactions; "reports inventory" is at /reports/inventory-adjustments, not at /inventory; 6 of 9 paths answer; not found: /products (products list)',
      fix: 'vendorctl profiles set default routes=alerts.codes=/codes,reports.transactions=/transactions,reports.inventory=/reports/inventory-adjustments',
    })
    const set = (paths.fix as string).split(' ').slice(1)
    expect(await service.run(set)).toMatchObject({exitCode: 0})
    const again = await service.run(['doctor', '--json'])
    expect(JSON.parse(again.stdout).data.find(({name}: {name: string}) => name === 'paths')).toMatchObject({
      ok: true,
      fix: expect.stringContaining('products.list=/PATH'),
    })
  })
})

/** One page of these records, whatever the filters. */
function page(records: readonly string[] = []) {
  const headers = {page: '1', size: '2000', 'total-pages': '1'}
  return {headers, body: `[${records.join(',')}]`}
}
