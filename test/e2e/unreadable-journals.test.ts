import {existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test} from '../support/binary.js'

function writeAlerts({path}: Home): string {
  const lines = Array.from({length: 6}, (_, index) => `${5001 + index},CJ,Jam ${index}`)
  writeFileSync(join(path, 'alerts.csv'), `machineId,code,message\n${lines.join('\n')}\n`)
  return join(path, 'alerts.csv')
}

const create = (file: string) => ['alerts', 'create', '-f', file, '--set-size', '2', '--settle', '0.2', '--yes']

/** A write whose last set is in doubt; where its journal lies, and its id. */
async function stopInDoubt(service: Service, home: Home) {
  const {exitCode, stdout} = await service.run([...create(writeAlerts(home)), '--json'])
  const id = String(JSON.parse(stdout).runId)
  return {exitCode, id, journal: join(home.state, 'runs', `${id}.run`), file: join(home.path, 'alerts.csv')}
}

const writesOf = ({sandbox}: Service) => requestsOf(sandbox)['alerts.create'] ?? 0
const inDoubt = {faults: ['reset-before@alerts.create#3'], limits: false}

const overwrite = (path: string, at: number, byte: number) => {
  const bytes = readFileSync(path)
  bytes[at] = byte
  writeFileSync(path, bytes)
}

const damages: Record<string, (journal: string) => void> = {
  'is cut': (journal) => truncateSync(journal, 6_000),
  'is gone': (journal) => rmSync(journal),
  'is changed, its header intact': (journal) => {
    const bytes = readFileSync(journal)
    overwrite(journal, bytes.lastIndexOf('planned'), 0x50)
  },
  'is empty and has lost its counter': (journal) => {
    truncateSync(journal, 0)
    rmSync(`${journal}-sent`)
  },
}

describe.concurrent('a write whose journal', () => {
  test.for(Object.entries(damages))('%s is not sent again', async ([, damage], {start, home}) => {
    const service = await start(inDoubt)
    const {exitCode, id, journal, file} = await stopInDoubt(service, home)
    damage(journal)
    const before = writesOf(service)

    const again = await service.run([...create(file), '--json'])
    const [error] = JSON.parse(again.stdout).errors

    expect([exitCode, again.exitCode, writesOf(service)]).toEqual([7, 12, before])
    expect(error).toMatchObject({code: 'EARLIER_UNREADABLE', message: expect.stringContaining(journal)})
    expect(error.hint).toContain(`vendorctl runs remove ${id} --damaged`)
    expect(error.hint).toContain('--fresh')
  })
})

describe.concurrent('a journal that cannot be read', () => {
  test('keeps no other operation from being sent, unless nobody knows what it is for', async ({start, home}) => {
    const service = await start(inDoubt)
    const {journal} = await stopInDoubt(service, home)
    truncateSync(journal, 0)
    writeFileSync(join(home.path, 'data.csv'), 'machineId,key,value\n5001,colour,red\n')
    const other = ['machines', 'custom-data', 'create', '-f', join(home.path, 'data.csv')]

    const known = await service.run(other)
    rmSync(`${journal}-sent`)
    const unknown = await service.run(other)

    expect([known.exitCode, unknown.exitCode]).toEqual([0, 12])
  })

  test('is set aside, and then the write is sent', async ({start, home}) => {
    const service = await start(inDoubt)
    const {id, journal, file} = await stopInDoubt(service, home)
    truncateSync(journal, 0)

    const removed = await service.run(['runs', 'remove', id, '--damaged'])
    const again = await service.run(create(file))
    const readable = await service.run(['runs', 'remove', 'latest', '--damaged'])

    expect([removed.exitCode, again.exitCode, readable.exitCode]).toEqual([0, 0, 2])
    expect(removed.stderr).toContain(`${journal}.damaged`)
    expect(existsSync(`${journal}.damaged`)).toBe(true)
    expect(readdirSync(join(home.state, 'runs'))).toContain(`${id}.run-sent.damaged`)
  })

  test('is not looked at with --fresh, and stops a resume of another run', async ({start, home}) => {
    const service = await start({
      faults: ['reset-before@alerts.create#3', 'reset-before@alerts.create#4'],
      limits: false,
    })
    const first = await stopInDoubt(service, home)
    const second = await service.run([...create(first.file), '--fresh', '--json'])
    truncateSync(first.journal, 0)

    const resumed = await service.run(['runs', 'resume', JSON.parse(second.stdout).runId, '--resend-after-settle'])

    expect([second.exitCode, resumed.exitCode]).toEqual([7, 12])
    expect(resumed.stderr).toContain(first.journal)
    expect(resumed.stderr).not.toContain('--fresh')
  })
})
