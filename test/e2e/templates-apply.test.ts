import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, type Service, test, writeLines as write} from '../support/binary.js'

const apply = (...words: string[]) => ['templates', 'apply', '--template', '412', ...words]
const sent = ({sandbox}: Service) => requestsOf(sandbox)['templates.apply'] ?? 0

/** Machines of organization 101, which owns template 412. */
const own = ['5001', '5006', '5011', '5013']

/** The depth of the first selection of machines; a template has 14 there. */
const depths = ({sandbox}: Service, machines: readonly string[] = own) =>
  machines.map((id) => {
    const isFirst = ({machineId, selectionNumber}: Record<string, unknown>) =>
      String(machineId) === id && selectionNumber === 'A0'
    return Number(sandbox.store.read('selection').find(isFirst)?.['depth'])
  })

describe.concurrent('templates apply', () => {
  test('shows what would change in each machine, and sends nothing', async ({service}) => {
    const words = apply('--machine', 'PRS100000,5006', '--dry-run')

    const json = await service.run([...words, '-o', 'json', '--detailed-exitcode'])
    const table = await service.run([...words, '-o', 'markdown'])

    expect([json.exitCode, table.exitCode]).toEqual([11, 0])
    const data = JSON.parse(json.stdout)
    expect(data.plan).toMatchObject({sets: 1, requests: 4, rows: 2, unchanged: 0})
    expect(data.machines).toMatchObject([
      {id: 5001, name: 'PRS100000', changed: 12, created: 2, unchanged: 18},
      {id: 5006, name: 'PRS100005'},
    ])
    expect(data.changes).toContainEqual({
      ...{line: 1, id: 5001, name: 'PRS100000', selection: 'A0', field: 'depth', from: 10, to: 14},
    })
    expect(table.stdout).toContain('| \\~ |  | 5001 | PRS100000 A0 | price | 1.10 | 2.10 |')
    expect(table.stderr).toContain('PRS100000: 12 would change, 2 would be created, 18 stay as they are\n')
    expect(sent(service)).toBe(0)
  })

  test('applies to the machines of a list, and a second time there is nothing to do', async ({service, home}) => {
    const file = write(home, 'route7.txt', 'PRS100000', '5006', '')

    const first = await service.run(apply('--machine', `@${file}`))
    const again = await service.run(apply('--machine', `@${file}`))

    expect(first).toMatchObject({exitCode: 0})
    expect(first.stderr).toContain('applied 2 ·')
    expect(first.stderr).toContain('2 of 2 machines have not picked up the change yet')
    expect(again).toMatchObject({exitCode: 0})
    expect(again.stderr).toContain(
      '2 rows change nothing and are not sent (--send-unchanged sends them): nothing to do',
    )
    expect(depths(service, ['5001', '5006'])).toEqual([14, 14])
    expect(sent(service)).toBe(1)
  })

  test('a file names machines by id, by serial, or as an export of machines', async ({service, home}) => {
    const byProse = write(home, 'prose.csv', 'prose', 'PRS100000')
    const byColumn = write(home, 'both.csv', 'machineId,templateId', '5006,412')
    const listed = join(home.path, 'machines.csv')
    await service.run(['machines', 'list', '--machine', '5011', '-o', 'csv', '--output-file', listed])

    const runs = [
      await service.run(apply('--file', byProse, '--lookup', 'machineId=prose')),
      await service.run(['templates', 'apply', '--file', byColumn]),
      await service.run(apply('--file', listed)),
    ]

    expect(runs.map(({exitCode, stderr}) => [exitCode, exitCode === 0 ? '' : stderr])).toEqual(Array(3).fill([0, '']))
    expect(depths(service, ['5001', '5006', '5011'])).toEqual([14, 14, 14])
  })

  test.for([
    [['--template', '412,413', '--machine', '5001'], 2, '--template takes exactly one id: "412,413".'],
    [['--template', '412', '--template', '413', '--machine', '5001'], 2, '--template can only be specified once'],
    [['--template', '412'], 2, 'No machines are selected; nothing was sent.'],
    [['--machine', '5001'], 2, 'No template is named; nothing was sent.'],
    [['--template', '411', '--machine', '5001'], 3, 'vendorctl templates selections --template 411'],
    [['--template', '999', '--machine', '5001'], 3, 'Template 999 has no selections that this login may see'],
    [['--template', '412', '--machine', '5001,PRSNOPE'], 3, '1 machine not found that this login may see: PRSNOPE;'],
    [['--template', '412', '--machine', '5001', '--site', '1002'], 3, 'not found with the other filters'],
    [['--template', '412', '--machine', '5001,5002', '--atomic'], 3, 'A template belongs to one organization'],
  ] as const)('%j ends with %i, and nothing is sent', async ([words, exitCode, message], {service}) => {
    const ran = await service.run(['templates', 'apply', ...words])

    expect(ran).toMatchObject({exitCode})
    expect(ran.stderr).toContain(message)
    expect(sent(service)).toBe(0)
  })

  test('a machine of a file that is unknown, or there twice, is named by its cell', async ({service, home}) => {
    const file = write(home, 'machines.csv', 'machineId', '5001', '77', '5001')
    const unknown = write(home, 'unknown.csv', 'machineId', '5001', '77')

    const twice = await service.run(apply('--file', file))
    const missing = await service.run(apply('--file', unknown))

    expect([twice.exitCode, missing.exitCode]).toEqual([3, 3])
    expect(twice.stderr).toContain('machines.csv:4:1 error machineId: the same machineId as in line 2')
    expect(missing.stderr).toContain('unknown.csv:3:1 error machineId: no machine 77 exists that this login may see')
    expect(sent(service)).toBe(0)
  })

  test('machines of two organizations are refused, with a command for each organization', async ({service, home}) => {
    const file = write(home, 'two.csv', 'machineId', '5001', '5002', '5006')

    const named = await service.run([...apply('--machine', '5001,5002,5006'), '--json'])
    const listed = await service.run(apply('--file', file, '--dry-run'))

    expect([named.exitCode, listed.exitCode]).toEqual([3, 3])
    expect(JSON.parse(named.stdout).errors).toMatchObject([{code: 'OTHER_ORGANIZATION', changed: 'none'}])
    expect(listed.stderr).toContain(
      '412 is to be applied to 2 machines of organization 101, 1 machine of organization 102',
    )
    expect(listed.stderr).toContain('→ vendorctl templates apply --template 412 --machine 5001,5006 --dry-run\n')
    expect(listed.stderr).toContain('→ vendorctl templates apply --template 412 --machine 5002 --dry-run\n')
    expect(sent(service)).toBe(0)
  })
})
