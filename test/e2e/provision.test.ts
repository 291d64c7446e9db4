import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test, writeLines as write} from '../support/binary.js'

const serials = ['PRS100001', 'PRS100002', 'PRS100003', 'PRS100004']
const sent = ({sandbox}: Service) => requestsOf(sandbox)['machines.provision'] ?? 0
const owners = ({sandbox}: Service) =>
  serials.map((serial) => sandbox.store.read('machine').find(({prose}) => prose === serial)?.['organizationId'])

const provision = (home: Home, ...words: string[]) => [
  ...['machines', 'provision', '--file', write(home, 'prose.csv', 'prose', ...serials)],
  ...['--organization', '101', ...words],
]

describe.concurrent('machines provision', () => {
  test('a dry run tells where the machines are, and which cannot be seen', async ({service}) => {
    const ran = await service.run([
      ...['machines', 'provision', '--machine', 'PRS100000,PRS100001,PRSNEW', '--organization', '101'],
      ...['--dry-run', '--detailed-exitcode'],
    ])

    expect(ran).toMatchObject({exitCode: 11})
    expect(ran.stderr).toMatch(/1 machine is provisioned in this organization already: PRS100000 \(20/)
    expect(ran.stderr).toContain('1 machine is in another organization now: PRS100001 (102 → 101)')
    expect(ran.stderr).toContain(
      '1 machine cannot be seen by this login, as a machine that was never provisioned may be: PRSNEW',
    )
    expect(ran.stderr).toContain('Would send 4 requests (1 read, 3 writes)')
    expect(sent(service)).toBe(0)
  })

  test('its own daily limit stops the run, and nothing else', async ({start, home}) => {
    const service = await start({provisionsPerDay: 2})

    const first = await service.run([...provision(home), '--json'])
    const others = await service.run(['machines', 'list', '--limit', '1', '-o', 'csv'])
    const quota = await service.run(['quota', '--json'])
    const resumed = await service.run(['runs', 'resume'])
    service.sandbox.store.database.run('DELETE FROM provisioning')
    const again = await service.run(provision(home))

    const {meta, errors} = JSON.parse(first.stdout)
    expect([first, others, resumed, again].map(({exitCode}) => exitCode)).toEqual([8, 0, 8, 0])
    expect(first.stderr).toContain("The service's own daily limit of machines provision is used up (Limit Exceeded).")
    expect(first.stderr).toContain('It resets at 00:00 UTC: send the rest then. Other commands are not affected.')
    expect(first.stderr).toContain('machines provision today (UTC): 2 machines by runs of this user')
    expect(meta).toMatchObject({rows: {applied: 2, unsent: 2}})
    expect(errors).toMatchObject([{code: 'OWN_LIMIT', exit: 8, changed: 'none', retry: 'safe', line: 4}])
    expect(JSON.parse(quota.stdout).data.left).toBeGreaterThan(4_000)
    expect(again.stderr).toContain('2 rows were applied by run')
    expect(again.stderr).toContain('machines provision today (UTC): 4 machines by runs of this user')
    expect(owners(service)).toEqual([101, 101, 101, 101])
    expect(sent(service)).toBe(6)
  })

  test('the same file again sends nothing; another organization, and --fresh, do', async ({service, home}) => {
    const first = await service.run(provision(home))

    const again = await service.run(provision(home))
    const count = sent(service)
    const fresh = await service.run(provision(home, '--fresh'))
    const other = await service.run([...provision(home).slice(0, -1), '102'])

    expect([first, again, fresh, other].map(({exitCode}) => exitCode)).toEqual([0, 0, 0, 0])
    expect(again.stderr).toContain('4 rows were applied by run ')
    expect([count, sent(service)]).toEqual([4, 12])
    expect(owners(service)).toEqual([102, 102, 102, 102])
  })

  test.for([
    [['--machine', 'PRS100001'], 2, 'No organization is named; nothing was sent.'],
    [['--machine', 'PRS100001', '--organization', '101,102'], 2, '--organization takes exactly one id: "101,102".'],
    [['--organization', '101'], 2, 'No machines are selected; nothing was sent.'],
    [['--machine', 'PRS1000011234567', '--organization', '101'], 2, 'longer than the 15 characters of a PROSE serial'],
    [
      ['--machine', 'PRS100001,PRS100002', '--organization', '101', '--atomic'],
      3,
      'One request takes 1 record, and these are 2.',
    ],
  ] as const)('%j ends with %i', async ([words, exitCode, message], {service}) => {
    const ran = await service.run(['machines', 'provision', ...words])

    expect(ran).toMatchObject({exitCode})
    expect(ran.stderr).toContain(message)
    expect(sent(service)).toBe(0)
  })

  test('serials of a file that cannot be right are named by their cells', async ({service, home}) => {
    const file = write(home, 'bad.csv', 'prose', 'PRS100001', 'PRS100001', 'PRS1000011234567', '""')
    const blank = write(home, 'blank.csv', 'prose', '  ', 'PRS100001')

    const ran = await service.run(['machines', 'provision', '--file', file, '--organization', '101'])
    const empty = await service.run(['machines', 'provision', '--file', blank, '--organization', '101'])

    expect([ran.exitCode, empty.exitCode]).toEqual([3, 3])
    expect(ran.stderr).toContain('bad.csv:3:1 error prose: the same prose as in line 2')
    expect(ran.stderr).toContain('bad.csv:4:1 error prose: 16 characters, at most 15 are allowed')
    expect(empty.stderr).toContain('blank.csv:2:1 error prose: blank')
    expect(sent(service)).toBe(0)
  })
})
