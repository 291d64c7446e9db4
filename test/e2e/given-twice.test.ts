import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test, writeLines} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

const header = 'machineId,code,message'
const jams = ['5001,CJ,Jam one', '5002,CJ,Jam two', '5003,CJ,Jam three']

const write = (home: Home, lines: readonly string[], name = 'alerts.csv') => writeLines(home, name, ...lines)

const create = (file: string, ...words: string[]) => ['alerts', 'create', '-f', file, ...words]

const jamsOf = ({sandbox}: Service) =>
  sandbox.store.read('alert').filter(({message}) => String(message).startsWith('Jam'))
const writesOf = ({sandbox}: Service) => requestsOf(sandbox)['alerts.create'] ?? 0

describe.concurrent('alerts that a finished run applied', () => {
  test('are refused, whatever the file is called and however its rows are ordered', async ({service, home}) => {
    const first = await service.run(create(write(home, [header, ...jams]), '--json'))
    const {runId} = JSON.parse(first.stdout)
    const records = jams.toReversed().map((line) => {
      const [machineId, code, message] = line.split(',')
      return {message, code, machineId: Number(machineId)}
    })

    const same = await service.run(create(join(home.path, 'alerts.csv'), '--json'))
    const other = await service.run(create(write(home, [JSON.stringify(records)], 'other.json')))
    const tried = await service.run(create(join(home.path, 'alerts.csv'), '--dry-run'))
    const [error] = JSON.parse(same.stdout).errors

    expect([first.exitCode, same.exitCode, other.exitCode, tried.exitCode]).toEqual([0, 3, 3, 0])
    expect(error).toMatchObject({code: 'FILE_APPLIED', changed: 'none', hint: expect.stringContaining('--fresh')})
    expect(error.message).toMatch(new RegExp(`these 3 rows were applied by run ${runId} on \\d{4}-\\d\\d-\\d\\d `))
    expect(tried.stderr).toContain('a run would be refused')
    expect(jamsOf(service)).toHaveLength(3)
  })

  test('are sent with --fresh and when the run is removed', async ({service, home}) => {
    const file = write(home, [header, ...jams])
    await service.run(create(file))

    const fresh = await service.run(create(file, '--fresh'))
    const refused = await service.run(create(file))
    const removed = await service.run(['runs', 'remove', '--all', '--yes'])
    const again = await service.run(create(file))

    expect([fresh.exitCode, refused.exitCode, removed.exitCode, again.exitCode]).toEqual([0, 3, 0, 0])
    expect(removed.stderr).toContain('can be sent again without a refusal')
    expect(jamsOf(service)).toHaveLength(3 + 3 + 3)
  })

  test('are refused with their count in an edited file; --skip-applied sends the others', async ({service, home}) => {
    await service.run(create(write(home, [header, ...jams])))
    const edited = write(home, [header, ...jams.slice(1), '5004,CJ,Jam four', '5005,CJ,Jam five'])
    const plan = join(home.path, 'plan.json')

    const dry = await service.run(create(edited, '--dry-run', '--plan-out', plan))
    const [refused, planned] = [
      await service.run(create(edited, '--json')),
      await service.run(['alerts', 'create', '--apply-plan', plan]),
    ]
    const others = await service.run(create(edited, '--skip-applied', '--json'))
    const nothing = await service.run(create(edited, '--skip-applied'))

    expect([dry, refused, planned, others, nothing].map(({exitCode}) => exitCode)).toEqual([0, 3, 3, 0, 0])
    expect(dry.stderr).toContain('a run would be refused: 2 of these 4 rows were applied by run ')
    expect(refused.stderr).toMatch(/alerts\.csv: 2 of these 4 rows were applied by run \S+ on .*; nothing was sent\./)
    expect(JSON.parse(refused.stdout).errors).toMatchObject([
      {code: 'FILE_APPLIED', changed: 'none', hint: expect.stringContaining('--skip-applied')},
    ])
    expect(planned.stderr).toContain('--fresh')
    expect(planned.stderr).not.toContain('--skip-applied')
    expect(JSON.parse(others.stdout).meta.rows).toMatchObject({applied: 4})
    expect(others.stderr).toContain('2 rows were applied by run ')
    expect(jamsOf(service)).toHaveLength(5)
  })

  test('are sent to the end with --fresh, also when that run is resumed', async ({start, home}) => {
    const service = await start({limits: false})
    const file = write(home, [header, ...jams])
    await service.run(create(file))
    service.sandbox.faults.set(['reset-before@alerts.create#2'])

    const stopped = await service.run(create(file, '--fresh', '--set-size', '1'))
    const resumed = await service.run(['runs', 'resume', '--settle', '0.3', '--resend-after-settle'])

    expect([stopped.exitCode, resumed.exitCode]).toEqual([7, 0])
    expect(jamsOf(service)).toHaveLength(3 + 3)
  })

  test('are refused when an open run shares one of them', async ({service, home}) => {
    const file = write(home, [header, ...jams])
    await service.run(create(file))
    const other = write(home, [header, '5001,CJ,Jam one', '5004,CJ,Jam four', '999999,CJ,Jam nowhere'], 'other.csv')

    const open = await service.run(create(other, '--set-size', '1'))
    const again = await service.run(create(file))

    expect([open.exitCode, again.exitCode]).toEqual([6, 3])
    expect(jamsOf(service)).toHaveLength(3 + 2)
  })

  test('are asked about on a terminal', async ({start, home}) => {
    const {environment, ...service} = await start()
    const file = write(home, [header, ...jams])
    await service.run(create(file))

    const ask = (answer: string) => onTerminal(`$vendorctl alerts create -f ${file}`, environment, [`${answer}\r`])
    const {exitCode, screen} = await ask('y')
    const [counts, again] = [jamsOf({environment, ...service}).length, await ask('again')]

    expect([exitCode, counts, again.exitCode, jamsOf({environment, ...service}).length]).toEqual([1, 3, 0, 6])
    expect(screen.indexOf('these 3 rows were applied by run')).toBeGreaterThan(-1)
    expect(screen.indexOf('these 3 rows were applied by run')).toBeLessThan(screen.indexOf('Create 3 alerts'))
    expect(screen).toMatch(/a second\s+time\? Type "again" to send/)
  })

  test('of codes of which only one may exist are left to the service', async ({service, home}) => {
    const file = write(home, [header, '5001,NS,Jam of sales'])
    const first = await service.run(create(file))

    const again = await service.run(create(file))

    expect([first.exitCode, again.exitCode, writesOf(service)]).toEqual([0, 5, 2])
    expect(again.stderr).toContain('ALERT_EXISTS')
  })
})
