import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {toEnvelopeSchema} from '../../src/derive/envelope-schema.js'
import {facts} from '../cli/help/facts.js'
import {compile} from '../support/ajv.js'
import {commandNames, type Home, test} from '../support/binary.js'

const validate = compile(toEnvelopeSchema())

type Words = readonly string[]

const aRun = ['sites', 'create', '-f', 'good.csv']
const anUpdate = ['sites', 'update', '-f', 'prices.csv']

const aPlan = [...aRun, '--dry-run', '--plan-out', 'plan.json']

const aMirror = ['sync', '--db', 'mirror.db']

const whole = ['reports', 'transactions', '--start', '-30d', '--end', '-1d', '--output-file', 'whole.csv']

const named = [...whole, '--since-last', 'nightly']

/** Of each command: words that succeed, after some others if need be, and words that fail with an exit code. */
const commands: Record<string, {before?: Words[]; good: Words; bad: Words; exit: number}> = {
  'accounts list': {good: [], bad: ['--organization', 'x'], exit: 2},
  'alerts clear': {good: ['--alert', '70001', '--dry-run'], bad: ['--alert', 'x'], exit: 2},
  'alerts codes': {good: [], bad: ['--columns', 'nothing'], exit: 2},
  'alerts create': {good: ['-f', 'alerts.csv'], bad: ['-f', 'bad.csv'], exit: 3},
  'alerts list': {good: [], bad: ['--start', 'soon'], exit: 2},
  'alerts update': {good: ['-f', 'messages.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  api: {good: ['GET', '/machines'], bad: ['GET', '/nowhere'], exit: 4},
  'auth login': {good: [], bad: ['--password-file', '/nowhere'], exit: 4},
  'auth logout': {good: [], bad: ['--profile', 'nobody'], exit: 2},
  'auth status': {good: [], bad: ['--profile', 'nobody'], exit: 2},
  'auth test': {good: [], bad: ['--stage', 'v3'], exit: 2},
  autocomplete: {good: ['fish'], bad: ['tcsh'], exit: 2},
  'autocomplete script': {good: ['bash'], bad: ['tcsh'], exit: 2},
  'contract show': {good: ['sites.create'], bad: ['sites.creat'], exit: 2},
  doctor: {good: [], bad: ['--timeout', 'x'], exit: 2},
  explain: {good: ['7'], bad: ['NO_SUCH_CODE'], exit: 2},
  'exports list': {good: [], bad: ['--columns', 'nothing'], exit: 2},
  'exports reset': {before: [named], good: ['nightly', '--to', '2024-07-01', '--yes'], bad: ['nightly'], exit: 2},
  'exports show': {before: [named], good: ['nightly'], bad: ['nobody'], exit: 2},
  'jobs check': {good: ['--jobs-file', 'jobs.yaml'], bad: ['--jobs-file', 'wrong.yaml'], exit: 3},
  'jobs list': {good: ['--jobs-file', 'jobs.yaml'], bad: ['--columns', 'nothing'], exit: 2},
  'jobs run': {good: ['codes', '--jobs-file', 'jobs.yaml'], bad: ['codes', '--jobs-file', 'wrong.yaml'], exit: 3},
  'jobs setup': {good: ['cron', 'codes', '--at', '02:10', '--jobs-file', 'jobs.yaml'], bad: ['cron', 'codes'], exit: 2},
  lint: {good: ['good.csv', '--operation', 'sites.create'], bad: ['bad.csv', '--operation', 'sites.create'], exit: 3},
  'machines custom-data create': {good: ['-f', 'data.csv'], bad: ['-f', 'bad.csv'], exit: 3},
  'machines list': {good: ['--limit', '2'], bad: ['--limit', '-1'], exit: 2},
  'machines provision': {
    good: ['-f', 'prose.csv', '--organization', '101', '--dry-run'],
    bad: ['-f', 'bad.csv', '--organization', '101'],
    exit: 3,
  },
  'machines settings list': {good: ['--limit', '2'], bad: ['--limit', '-1'], exit: 2},
  'machines settings set': {good: ['-f', 'settings.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'machines update': {good: ['-f', 'names.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'notify test': {good: ['--notify-command', 'true'], bad: [], exit: 2},
  'organizations list': {good: [], bad: ['--output-file', '/nowhere/at/all.csv'], exit: 12},
  'organizations tree': {good: ['--depth', 'account'], bad: ['--depth', 'country'], exit: 2},
  'plan show': {before: [aPlan], good: ['plan.json'], bad: ['good.csv'], exit: 3},
  'products list': {good: [], bad: ['--product', 'x'], exit: 2},
  'profiles list': {good: [], bad: ['--columns', 'x'], exit: 2},
  'profiles remove': {good: ['one'], bad: ['nobody'], exit: 2},
  'profiles set': {good: ['two', 'stage=v2'], bad: ['two', 'apiKey=x'], exit: 2},
  'profiles show': {good: ['one'], bad: ['nobody'], exit: 2},
  'profiles use': {good: ['one'], bad: ['nobody'], exit: 2},
  quota: {good: [], bad: ['--profile', 'nobody'], exit: 2},
  'quota forget': {good: [], bad: ['--profile', 'nobody'], exit: 2},
  'reports coverage': {good: [], bad: ['--start', 'soon'], exit: 2},
  'reports inventory': {good: [], bad: ['--start', '2024-07-02', '--end', '2024-07-01'], exit: 2},
  'reports metadata': {good: [], bad: ['--start', 'soon'], exit: 2},
  'reports summary': {good: ['--by', 'site'], bad: ['--start', '2024-07-02', '--end', '2024-07-01'], exit: 2},
  'reports changes': {before: [whole], good: ['whole.csv'], bad: ['nowhere.csv'], exit: 3},
  'reports transactions': {good: [], bad: ['--start', '2024-07-02', '--end', '2024-07-01'], exit: 2},
  'reports verify': {before: [whole], good: ['whole.csv'], bad: ['nowhere.csv'], exit: 3},
  'role-rights create': {good: ['-f', 'new-rights.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'role-rights list': {good: [], bad: ['--right', 'x'], exit: 2},
  'role-rights update': {good: ['-f', 'rights.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'roles list': {good: [], bad: ['--organization', 'x'], exit: 2},
  'roles rights': {good: ['--limit', '2'], bad: ['--limit', '-1'], exit: 2},
  'runs list': {good: [], bad: ['--columns', 'nothing'], exit: 2},
  'runs reconcile': {before: [aRun], good: ['latest'], bad: ['latest'], exit: 2},
  'runs remove': {before: [aRun], good: ['latest'], bad: [], exit: 2},
  'runs results': {before: [aRun], good: ['latest'], bad: ['latest'], exit: 2},
  'runs resume': {before: [aRun], good: ['latest'], bad: ['latest'], exit: 2},
  'runs show': {before: [aRun], good: ['latest'], bad: ['latest'], exit: 2},
  'runs undo': {before: [anUpdate], good: ['latest', '--dry-run'], bad: ['latest'], exit: 2},
  'sandbox faults': {good: [], bad: [], exit: 2},
  'sandbox faults clear': {good: [], bad: [], exit: 2},
  'sandbox faults set': {good: [], bad: ['reset@machines.list'], exit: 2},
  'sandbox reset': {good: [], bad: [], exit: 2},
  'sandbox start': {good: [], bad: ['--port', '-1'], exit: 2},
  'sandbox status': {good: [], bad: [], exit: 2},
  'sandbox stop': {good: [], bad: ['--nix'], exit: 2},
  'selections adjust': {good: ['-f', 'deltas.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'selections create': {good: ['-f', 'selections.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'selections delete': {good: ['-f', 'selection-ids.csv', '--confirm-count', '1'], bad: ['-f', 'bad.csv'], exit: 3},
  'selections list': {good: ['--limit', '2'], bad: ['--limit', '-1'], exit: 2},
  'selections update': {good: ['-f', 'selection-prices.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'sessions events': {good: [], bad: ['--start', 'soon'], exit: 2},
  'sessions list': {good: [], bad: ['--session', 'x'], exit: 2},
  'sites create': {good: ['-f', 'good.csv'], bad: ['-f', 'bad.csv'], exit: 3},
  'sites delete': {good: ['-f', 'prices.csv', '--dry-run'], bad: ['-f', 'bad.csv'], exit: 3},
  'sites list': {good: ['--where', 'name~Pier'], bad: ['--where', 'name'], exit: 2},
  'sites update': {good: ['-f', 'prices.csv'], bad: ['-f', 'bad.csv'], exit: 3},
  sql: {
    before: [aMirror],
    good: ['select id from sites', '--db', 'mirror.db'],
    bad: ['drop table sites', '--db', 'mirror.db'],
    exit: 3,
  },
  sync: {good: ['--db', 'mirror.db'], bad: ['--db', 'postgres://a:b@127.0.0.1/x'], exit: 3},
  'templates apply': {
    good: ['--template', '412', '--machine', '5001', '--dry-run'],
    bad: ['--template', '412'],
    exit: 2,
  },
  'templates list': {good: [], bad: ['--organization', 'x'], exit: 2},
  'templates selections': {good: ['--template', '412'], bad: ['--template', 'x'], exit: 2},
}

const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

/** Files of rows, and a profile called one. */
function prepare({path, config}: Home): void {
  writeFileSync(join(path, 'good.csv'), `${header}\n201,101,One,true,500,10,Net10\n`)
  writeFileSync(join(path, 'alerts.csv'), 'machineId,code,message\n5001,CJ,Stuck\n')
  writeFileSync(join(path, 'messages.csv'), 'id,message\n70001,Seen\n')
  writeFileSync(join(path, 'data.csv'), 'machineId,key,value\n5001,shelf,top\n')
  writeFileSync(join(path, 'prices.csv'), 'id,maxChargePrice\n1001,600\n')
  writeFileSync(join(path, 'prose.csv'), 'prose\nPRS100007\n')
  writeFileSync(join(path, 'names.csv'), 'id,name\n5001,Lobby\n')
  writeFileSync(join(path, 'settings.csv'), 'machineId,type,settings\n5001,Config,volume=9\n')
  writeFileSync(join(path, 'rights.csv'), 'id,canView,canEdit,canExecute\n6001,true,false,false\n')
  writeFileSync(join(path, 'new-rights.csv'), 'roleId,rightId,canView,canEdit,canExecute\n61,99,true,false,false\n')
  writeFileSync(join(path, 'deltas.csv'), 'selectionId,delta\n20001,-1\n')
  writeFileSync(join(path, 'selection-ids.csv'), 'id\n20001\n')
  writeFileSync(join(path, 'selection-prices.csv'), 'id,price\n20001,9.50\n')
  const selection = 'machineId,selectionNumber,price,invoicePrice,restockTo,depth,count,freeCount,commission'
  writeFileSync(join(path, 'selections.csv'), `${selection}\n5001,Z99,1.50,0.75,5,10,0,0,0.5\n`)
  writeFileSync(join(path, 'bad.csv'), `${header}\n201,101,One,perhaps,500,10,Net10\n`)
  writeFileSync(join(path, 'jobs.yaml'), 'jobs: {codes: {command: alerts codes}}\n')
  writeFileSync(join(path, 'wrong.yaml'), 'jobs: {codes: {command: alerts code}}\n')
  mkdirSync(config, {recursive: true, mode: 0o700})
  writeFileSync(join(config, 'profiles.json'), '{"profiles": {"one": {"stage": "v2"}}}', {mode: 0o600})
}

/** Validates what `--json` printed: one document, and nothing after it. */
function toEnvelope(stdout: string) {
  const envelope = JSON.parse(stdout)
  validate(envelope)
  expect(validate.errors).toBeNull()
  return envelope
}

/** What only people and shells read. */
const textOnly = ['help']

test('every command is held', () => {
  expect([...Object.keys(commands), ...textOnly].sort()).toEqual(commandNames())
})

// The commands of a running sandbox succeed in sandbox.test.ts.
const alone = Object.keys(commands).filter((name) => !name.startsWith('sandbox '))

const jobs = alone.filter((name) => !['auth login', 'jobs run'].includes(name)) // which no job can be

/** Commands whose data have no file. */
const printsData = ['api', 'autocomplete script']

/** What is no reason to be silent. */
const warned: Record<string, RegExp> = {
  'machines provision': /^warning: 1 machine is in another organization now: .*\n$/,
  'runs resume': /^warning: run \S+: nothing is left to send\n$/,
}

test.concurrent.for(jobs)('a job prints nothing if all is well: %s', async (name, {start, home}) => {
  const service = await start({batches: 10})
  prepare(home)
  const {before = [], good} = commands[name] ?? {good: []}
  for (const words of before) expect((await service.run(words, {cwd: home.path})).exitCode).toBe(0)
  const flags = facts.commands[name.replaceAll(' ', ':')]?.flags ?? {}
  const file = 'output-file' in flags ? ['--output-file', 'f'] : []
  const more = [...file, ...(file.length > 0 && 'start' in flags ? ['--start', '-2d'] : [])]

  const environment = {VENDORCTL_JOB: 'night'}
  const ran = await service.run([...name.split(' '), ...good, ...more], {cwd: home.path, environment})

  expect(ran).toMatchObject({exitCode: 0, stderr: expect.stringMatching(warned[name] ?? /^$/)})
  if (!printsData.includes(name)) expect(ran.stdout).toBe('')
})

describe.concurrent('--json prints one valid envelope', () => {
  test.for(alone)('when it succeeds: %s', async (name, {start, home}) => {
    const service = await start({batches: 10})
    prepare(home)

    const {before = [], good = []} = commands[name] ?? {}
    for (const words of before) expect((await service.run(words, {cwd: home.path})).exitCode).toBe(0)

    const ran = await service.run([...name.split(' '), ...good, '--json'], {cwd: home.path})

    expect(ran.exitCode).toBe(0)
    expect(toEnvelope(ran.stdout)).toMatchObject({schema: 'vendorctl/1', ok: true, command: name, errors: []})
  })

  test.for(Object.keys(commands))('when it fails: %s', async (name, {start, home}) => {
    const service = await start({batches: 10})
    prepare(home)
    const {bad = [], exit = 0} = commands[name] ?? {}

    const ran = await service.run([...name.split(' '), ...bad, '--json'], {cwd: home.path})

    expect(ran.exitCode).toBe(exit)
    expect(ran.stderr).toMatch(/^error: |error /m)
    const envelope = toEnvelope(ran.stdout)
    expect(envelope).toMatchObject({schema: 'vendorctl/1', ok: false, command: name})
    expect(envelope.errors.length).toBeGreaterThan(0)
    expect(envelope.errors[0].exit).toBe(exit)
  })
})
