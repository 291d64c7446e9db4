import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const lookup = ['--lookup', 'machineId=prose']
const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
const keys = Array.from({length: 12}, (_, index) => `key ${index + 1}`)

describe.concurrent('names in place of ids', () => {
  test('rows that were applied are known again, and rejects keep the names', async ({run, sandbox, home}) => {
    const line = (key: string) => `PRS100000,${key},1`
    const taken = write(home, 'taken.csv', 'prose,key,value', line('key 3'))
    await run(['machines', 'custom-data', 'create', '-f', taken, ...lookup])
    const file = write(home, 'keys.csv', 'prose,key,value', ...keys.map(line))
    const words = ['machines', 'custom-data', 'create', '-f', file, ...lookup, '--set-size', '2', '--yes']

    const first = await run(words)
    const rejects = readFileSync(join(home.path, 'keys.rejects.csv'), 'utf8')
    const without = keys.filter((key) => key !== 'key 3')
    write(home, 'keys.csv', 'prose,key,value', ...without.map(line))
    const second = await run([...words, '--json'])

    expect([first.exitCode, second.exitCode]).toEqual([6, 0])
    expect(rejects.split('\n').slice(0, 2)).toEqual([
      'prose,key,value,_line,_code,_message',
      expect.stringMatching(/^PRS100000,key 3,1,4,CUSTOM_DATA_EXISTS,/),
    ])
    expect(JSON.parse(second.stdout).meta.rows).toMatchObject({applied: 11, unsent: 0})
    expect(requestsOf(sandbox)['machines.custom-data.create']).toBe(1 + 2 + 5)
  })

  test('rejects are sent again by the printed command, with names and fields that were set', async ({start}) => {
    const {run, sandbox, home} = await start({faults: ['status(400)@sites.update#1']})
    const [site = {}] = sandbox.store.read('site')
    const file = write(home, 'sites.csv', 'name;accountId;Price', `${site['name']};201;777`)
    const words = ['--map', 'Price=maxChargePrice', '--set', 'billingAddress=New', '--match', 'name,accountId']
    const service = ['--profile', 'default', '--stage', 'v2.1']

    const first = await run(['sites', 'update', '-f', file, '--delimiter', ';', ...words, ...service])
    const [, command = ''] = /then send this file: vendorctl (.+)/.exec(first.stderr) ?? []
    const second = await run(command.replaceAll("'", '').split(' '))

    expect([first.exitCode, second.exitCode], second.stderr).toEqual([5, 0])
    expect(command).toBe(
      `sites update --file ${join(home.path, 'sites.rejects.csv')} --match name,accountId --map Price=maxChargePrice --set billingAddress=New ${service.join(' ')}`,
    )
    expect(sandbox.store.find('site', Number(site['id']))).toMatchObject({maxChargePrice: 777, billingAddress: 'New'})
  })

  test.for([
    ['JSON in a file named for a table', 'sites.json', '[{"id":1001,"maxChargePrice":777}]', 'again.csv', []],
    ['a table in a file named for JSON', 'sites.csv', 'id,maxChargePrice\n1001,777', 'again.json', []],
    ['an unusual delimiter', 'sites.csv', 'id^maxChargePrice\n1001^777', 'again.csv', ['--delimiter', '^']],
  ] as const)('rejects are sent again by the printed command: %s', async ([, name, text, rejects, layout], {start}) => {
    const {run, sandbox, home} = await start({faults: ['status(400)@sites.update#1']})
    const words = ['--rejects', join(home.path, rejects), ...layout]

    const first = await run(['sites', 'update', '-f', write(home, name, text), ...words])
    const [, command = ''] = /then send this file: vendorctl (.+)/.exec(first.stderr) ?? []
    const second = await run(command.replaceAll("'", '').split(' '))

    expect([first.exitCode, second.exitCode], second.stderr).toEqual([5, 0])
    expect(sandbox.store.find('site', 1001)).toMatchObject({maxChargePrice: 777})
  })

  const apply = '201,101,Quayside,true,1,2,Net10'
  test.for([
    ['a change', 'selections update', 'id\n20001', ['--change', 'price==3.50'], 'selections.update'],
    ['a change of one record', 'selections update', '', ['20001', '--change', 'price==3.50'], 'selections.update'],
    ['new records beside others', 'sites apply', `${header}\n${apply}`, [], 'sites.create'],
  ] as const)('rejects are sent again by the printed command: %s', async ([, command, text, more, sent], {start}) => {
    const {run, sandbox, home} = await start({
      faults: ['status(400)@selections.update#1', 'status(400)@sites.create#1'],
    })
    const input = text === '' ? [] : ['-f', write(home, 'given.csv', text)]

    const first = await run([...command.split(' '), ...input, ...more, '--yes'])
    const [, again = ''] = /then send this file: vendorctl (.+)/.exec(first.stderr) ?? []
    const second = await run(again.replaceAll("'", '').split(' '))

    expect([first.exitCode, second.exitCode], second.stderr).toEqual([5, 0])
    expect(requestsOf(sandbox)[sent]).toBe(2)
  })

  test('rejects of a resumed run are sent again with the flags of its input', async ({start}) => {
    const faults = ['throttle(3600)@sites.update#1', 'status(400)@sites.update#2']
    const {run, sandbox, home} = await start({faults})
    const file = write(home, 'given.csv', 'Nr,Grenze\n1001,777')

    const first = await run(['sites', 'update', '-f', file, '--map', 'Nr=id', '--map', 'Grenze=maxChargePrice'])
    const resumed = await run(['runs', 'resume'])
    const [, again = ''] = /then send this file: vendorctl (.+)/.exec(resumed.stderr) ?? []
    const last = await run(again.replaceAll("'", '').split(' '))

    expect([first.exitCode, resumed.exitCode, last.exitCode], last.stderr).toEqual([8, 5, 0])
    expect(sandbox.store.find('site', 1001)).toMatchObject({maxChargePrice: 777})
  })

  test('a plan holds the ids, and needs neither the file nor the flags', async ({run, sandbox, home}) => {
    const [site = {}] = sandbox.store.read('site')
    const file = write(home, 'sites.csv', 'name,account.name,maxChargePrice', `${site['name']},Hospitals,777`)
    const plan = join(home.path, 'plan.json')
    const names = ['--match', 'name,accountId', '--lookup', 'accountId=name']

    const dry = await run(['sites', 'update', '-f', file, ...names, '--dry-run', '--plan-out', plan])
    rmSync(file)
    const ran = await run(['sites', 'update', '--apply-plan', plan])
    const both = await run(['sites', 'update', '--apply-plan', plan, ...names])

    expect([dry.exitCode, ran.exitCode, both.exitCode]).toEqual([0, 0, 2])
    expect(sandbox.store.find('site', Number(site['id']))).toMatchObject({maxChargePrice: 777})
    expect(requestsOf(sandbox)).toMatchObject({'accounts.list': 1, 'sites.list': 2, 'sites.update': 1})

    sandbox.store.update('site', Number(site['id']), {...site, maxChargePrice: 1}, {})
    const twice = await run(['sites', 'update', '--apply-plan', plan])

    expect(twice.exitCode).toBe(10)
    expect(twice.stderr).toContain(`vendorctl sites update --file ${file} ${names.join(' ')} --dry-run --plan-out FILE`)
  })

  test('lint checks columns and types, and resolves nothing', async ({alone, home}) => {
    const file = write(home, 'data.csv', 'Prose,key,value', 'PRS1,a,1', ',b,2', 'PRS1,c,3')
    const words = ['lint', file, '--operation', 'machines.custom-data.create']

    const plain = await alone(words)
    const looked = await alone([...words, ...lookup])
    const wrong = await alone([...words, '--lookup', 'machineId=pros'])

    expect([plain.exitCode, looked.exitCode, wrong.exitCode]).toEqual([3, 3, 2])
    expect(plain.stderr).toContain('Prose')
    expect(looked.stderr).toContain(`${file}:3:1 error prose: required, but the cell is empty`)
    expect(looked.stderr).toContain(
      'The columns of --match and --lookup were checked; only the write looks for the records.',
    )
    expect(wrong.stderr).toContain('did you mean prose?')
  })
})
