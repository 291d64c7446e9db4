import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const lookup = ['--lookup', 'machineId=prose']
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
