import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test, writeLines} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

/** A key is made once at a machine; nothing names an alert. */
const data = (keys: readonly string[], machine = 5001) => keys.map((key) => `${machine},${key},x`)
const stuck = (messages: readonly string[]) => messages.map((message) => `5001,CJ,${message}`)

const writeRows = (home: Home, header: string, rows: readonly string[], name = 'rows.csv') =>
  writeLines(home, name, header, ...rows)

const dataHeader = 'machineId,key,value'
const createData = (file: string) => [
  ...['machines', 'custom-data', 'create', '-f', file],
  ...['--set-size', '2', '--settle', '0.3', '--json'],
]
const keysOf = ({sandbox}: Service) => sandbox.store.read('custom_data').map(({key}) => key)
const inDoubtOnce = {faults: ['reset-before@machines.custom-data.create#1'], limits: false}

describe.concurrent('a write that settles the doubt of an earlier one', () => {
  test('and then refuses the file says what it sent for the earlier one', async ({start, home}) => {
    const service = await start({faults: ['reset-before@machines.custom-data.create#2'], limits: false})
    const first = await service.run(createData(writeRows(home, dataHeader, data(['a', 'b', 'c', 'd']))))
    const file = writeRows(home, dataHeader, ['5001,a,other', ...data(['b', 'c', 'd'])])

    const again = await service.run(createData(file))

    expect([first.exitCode, again.exitCode]).toEqual([7, 3])
    expect(keysOf(service)).toEqual(['a', 'b', 'c', 'd'])
    expect(again.stderr).toMatch(/Run \S+, set 2: sent again: applied/)
    expect(again.stderr).toContain('1 problem in 4 rows; this write was not sent.\n')
    expect(again.stderr).toContain('Some records were changed.')
    expect(again.stderr).not.toContain('othing was sent')
    expect(again.stderr).not.toContain('Nothing was changed.')
    expect(JSON.parse(again.stdout).errors).toMatchObject([{code: 'APPLIED_DIFFERENTLY', changed: 'some'}])
  })

  test('and is not agreed to sends nothing for the earlier one', async ({start, home}) => {
    const service = await start(inDoubtOnce)
    const words = createData(writeRows(home, dataHeader, data(['a', 'b'])))
    await service.run(words)

    const unasked = await service.run(words, {environment: {VENDORCTL_YES: undefined}})
    const guarded = await service.run(words, {environment: {VENDORCTL_PROTECTED: 'true'}})

    expect([unasked.exitCode, guarded.exitCode]).toEqual([2, 2])
    expect(unasked.stderr).toContain('Confirmation is needed')
    expect(guarded.stderr).toContain('is protected; nothing was sent.')
    expect(requestsOf(service.sandbox)['machines.custom-data.create']).toBe(1)
    expect(keysOf(service)).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('and gets a no says that nothing else was sent', async ({start, home}) => {
    const service = await start(inDoubtOnce)
    const file = writeRows(home, dataHeader, data(['a', 'b', 'c', 'd']))
    await service.run(createData(file))

    const line = `$vendorctl machines custom-data create -f ${file} --set-size 2 --settle 0.3`
    const {exitCode, screen} = await onTerminal(line, service.environment, ['n\r'])

    expect(exitCode).toBe(1)
    expect(keysOf(service)).toEqual(['a', 'b'])
    expect(screen).toContain('Cancelled; nothing else was sent.')
  })

  test('and stops at the doubt of another says what it sent', async ({start, home}) => {
    const service = await start(inDoubtOnce)
    await service.run(createData(writeRows(home, dataHeader, data(['a']), 'a.csv')))
    service.sandbox.faults.set(['reset-before@machines.custom-data.create#1'])
    await service.run(createData(writeRows(home, dataHeader, data(['b'], 999_999), 'b.csv')))
    const both = writeRows(home, dataHeader, [...data(['a']), ...data(['b'], 999_999)])

    const ran = await service.run(createData(both))

    expect(ran.exitCode).toBe(7)
    expect(keysOf(service)).toEqual(['a'])
    expect(JSON.parse(ran.stdout).errors).toMatchObject([{code: 'EARLIER_IN_DOUBT', changed: 'some'}])
  })

  test('and is refused then leaves its rows known, so that the mended file doubles none', async ({start, home}) => {
    const service = await start({faults: ['reset-after-commit@alerts.create#2'], limits: false})
    const words = ['alerts', 'create', '--set-size', '2', '--settle', '0.3', '-f']
    const messages = ['One', 'Two', 'Three', 'Four']
    const header = 'machineId,code,message'
    await service.run([...words, writeRows(home, header, stuck(messages))])
    const refused = await service.run([...words, writeRows(home, header, stuck(['Uno', ...messages.slice(1)]))])

    const ran = await service.run([...words, writeRows(home, header, stuck(messages))])

    expect([refused.exitCode, ran.exitCode]).toEqual([3, 0])
    expect(ran.stderr).toMatch(/4 rows were applied by run \S+ and are not sent again/)
    const held = service.sandbox.store.read('alert').map(({message}) => String(message))
    expect(held.filter((message) => messages.includes(message))).toEqual(messages)
  })
})

test('a run that was resumed and stays in doubt says that it was sent again, and why so', async ({start, home}) => {
  const service = await start(inDoubtOnce)
  await service.run(createData(writeRows(home, dataHeader, data(['a'], 999_999))))

  const {exitCode, stderr} = await service.run(['runs', 'resume'])

  expect(exitCode).toBe(7)
  expect(stderr).toContain('warning: set 1: sent again: refused, 404 MISSING_RECORD, which does not show whether')
  expect(stderr).toContain('It is not known whether the rows in doubt were applied.')
  expect(stderr).not.toContain('They were not sent again.')
})

test('a run that was resumed and stops at the doubt of another says that it changed records', async ({start, home}) => {
  const service = await start(inDoubtOnce)
  const later = data(['b'], 999_999)
  const first = await service.run(createData(writeRows(home, dataHeader, [...data(['a', 'c']), ...later])))
  service.sandbox.faults.set(['reset-before@machines.custom-data.create#1'])
  await service.run([...createData(writeRows(home, dataHeader, later, 'b.csv')), '--fresh'])

  const {exitCode, stderr} = await service.run(['runs', 'resume', JSON.parse(first.stdout).runId, '--settle', '0.3'])

  expect(exitCode).toBe(7)
  expect(keysOf(service)).toEqual(['a', 'c'])
  expect(stderr).toContain('which may have applied them; they were not sent again.')
  expect(stderr).toContain('Some records were changed.')
})
