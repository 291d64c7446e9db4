import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {toEnvelopeSchema} from '../../src/derive/envelope-schema.js'
import {facts} from '../cli/help/facts.js'
import {compile} from '../support/ajv.js'
import {commandNames, type Home, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

const validate = compile(toEnvelopeSchema())

type Words = readonly string[]

const aRun = ['sites', 'create', '-f', 'good.csv']
const anUpdate = ['sites', 'update', '-f', 'prices.csv']

const aPlan = [...aRun, '--dry-run', '--plan-out', 'plan.json']

const aMirror = ['sync', '--db', 'mirror.db']

const whole = ['reports', 'transactions', '--start', '-30d', '--end', '-1d', '--output-file', 'whole.csv']

const named = [...whole, '--since-last', 'nightly']

/** Of each command: words that succeed, after some others if need be. */
const commands: Record<string, {before?: Words[]; good: Words}> = {
  'accounts list': {good: []},
  'alerts clear': {good: ['--alert', '70001', '--dry-run']},
  'alerts codes': {good: []},
  'alerts create': {good: ['-f', 'alerts.csv']},
  'alerts list': {good: []},
  'alerts update': {good: ['-f', 'messages.csv', '--dry-run']},
  api: {good: ['GET', '/machines']},
  'auth login': {good: []},
  'auth logout': {good: []},
  'auth status': {good: []},
  'auth test': {good: []},
  autocomplete: {good: ['fish']},
  'autocomplete script': {good: ['bash']},
  'contract show': {good: ['sites.create']},
  doctor: {good: []},
  explain: {good: ['7']},
  'exports list': {good: []},
  'exports reset': {before: [named], good: ['nightly', '--to', '2024-07-01', '--yes']},
  'exports share': {good: ['nightly']},
  'exports show': {before: [named], good: ['nightly']},
  'jobs check': {good: ['--jobs-file', 'jobs.yaml']},
  'import list': {good: ['--jobs-file', 'jobs.yaml']},
  'jobs list': {good: ['--jobs-file', 'jobs.yaml']},
  'jobs run': {good: ['codes', '--jobs-file', 'jobs.yaml']},
  'jobs setup': {good: ['cron', 'codes', '--at', '02:10', '--jobs-file', 'jobs.yaml']},
  lint: {good: ['good.csv', '--operation', 'sites.create']},
  'machines custom-data create': {good: ['-f', 'data.csv']},
  'machines list': {good: ['--limit', '2']},
  'machines provision': {
    good: ['-f', 'prose.csv', '--organization', '101', '--dry-run'],
  },
  'machines settings list': {good: ['--limit', '2']},
  'machines settings set': {good: ['-f', 'settings.csv', '--dry-run']},
  'machines update': {good: ['-f', 'names.csv', '--dry-run']},
  'notify test': {good: ['--notify-command', 'true']},
  'organizations list': {good: []},
  'organizations tree': {good: ['--depth', 'account']},
  'plan show': {before: [aPlan], good: ['plan.json']},
  'products list': {good: []},
  'profiles list': {good: []},
  'profiles remove': {good: ['one']},
  'profiles set': {good: ['two', 'stage=v2']},
  'profiles show': {good: ['one']},
  'profiles use': {good: ['one']},
  quota: {good: []},
  'quota forget': {good: []},
  'reports coverage': {good: []},
  'reports inventory': {good: []},
  'reports metadata': {good: []},
  'reports summary': {good: ['--by', 'site']},
  'reports changes': {before: [whole], good: ['whole.csv']},
  'reports transactions': {good: []},
  'reports verify': {before: [whole], good: ['whole.csv']},
  'role-rights create': {good: ['-f', 'new-rights.csv', '--dry-run']},
  'role-rights list': {good: []},
  'role-rights update': {good: ['-f', 'rights.csv', '--dry-run']},
  'roles list': {good: []},
  'roles rights': {good: ['--limit', '2']},
  'runs audit': {good: []},
  'runs list': {good: []},
  'runs reconcile': {before: [aRun], good: ['latest']},
  'runs remove': {before: [aRun], good: ['latest']},
  'runs results': {before: [aRun], good: ['latest']},
  'runs resume': {before: [aRun], good: ['latest']},
  'runs show': {before: [aRun], good: ['latest']},
  'runs undo': {before: [anUpdate], good: ['latest', '--dry-run']},
  'sandbox clock': {good: []},
  'sandbox faults': {good: []},
  'sandbox faults clear': {good: []},
  'sandbox faults set': {good: []},
  'sandbox log': {good: []},
  'sandbox reset': {good: []},
  'sandbox start': {good: []},
  'sandbox status': {good: []},
  'sandbox stop': {good: []},
  'selections adjust': {good: ['-f', 'deltas.csv', '--dry-run']},
  'selections apply': {good: ['-f', 'selections.csv', '--dry-run']},
  'selections create': {good: ['-f', 'selections.csv', '--dry-run']},
  'selections delete': {good: ['-f', 'selection-ids.csv', '--confirm-count', '1']},
  'selections list': {good: ['--limit', '2']},
  'selections update': {good: ['-f', 'selection-prices.csv', '--dry-run']},
  'sessions events': {good: []},
  'sessions list': {good: []},
  'sites apply': {good: ['-f', 'good.csv', '--dry-run']},
  'sites create': {good: ['-f', 'good.csv']},
  'sites delete': {good: ['-f', 'prices.csv', '--dry-run']},
  'sites list': {good: ['--where', 'name~Pier']},
  'sites update': {good: ['-f', 'prices.csv']},
  sql: {
    before: [aMirror],
    good: ['select id from sites', '--db', 'mirror.db'],
  },
  sync: {good: ['--db', 'mirror.db']},
  'templates apply': {
    good: ['--template', '412', '--machine', '5001', '--dry-run'],
  },
  'templates list': {good: []},
  'templates selections': {good: ['--template', '412']},
}

/** Words that fail with each exit code that needs no fault. */
const failures: readonly (readonly [exit: number, words: Words])[] = [
  [2, ['sites', 'list', '--where', 'name']],
  [3, ['sites', 'create', '-f', 'bad.csv']],
  [4, ['auth', 'login', '--password-file', '/nowhere']],
  [12, ['organizations', 'list', '--output-file', '/nowhere/at/all.csv']],
]

/** Files of rows, and a profile called one. */
function prepare({path, config}: Home): void {
  writeFileSync(join(path, 'good.csv'), siteFile('One'))
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
  writeFileSync(join(path, 'bad.csv'), siteFile('One').replace('true', 'perhaps'))
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
/** What stands for another command line, or holds one. */
const others = ['import', 'import check', 'import save']
/** What needs a person, as in approval.test.ts. */
const asks = ['plan approve']

test('every command is held', () => {
  expect([...Object.keys(commands), ...textOnly, ...others, ...asks].sort()).toEqual(commandNames())
})

// The commands of a running sandbox succeed in sandbox.test.ts, and the one that needs a database in shared-marks.test.ts.
const alone = Object.keys(commands).filter((name) => !name.startsWith('sandbox ') && name !== 'exports share')

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
  for (const words of before) expect((await service.run(words)).exitCode).toBe(0)
  const flags = facts.commands[name.replaceAll(' ', ':')]?.flags ?? {}
  const file = 'output-file' in flags ? ['--output-file', 'f'] : []
  const more = [...file, ...(file.length > 0 && 'start' in flags ? ['--start', '-2d'] : [])]

  const environment = {VENDORCTL_JOB: 'night'}
  const ran = await service.run([...name.split(' '), ...good, ...more], {environment})

  expect(ran).toMatchObject({exitCode: 0, stderr: expect.stringMatching(warned[name] ?? /^$/)})
  if (!printsData.includes(name)) expect(ran.stdout).toBe('')
})

describe.concurrent('--json prints one valid envelope', () => {
  test.for(alone)('when it succeeds: %s', async (name, {start, home}) => {
    const service = await start({batches: 10})
    prepare(home)

    const {before = [], good = []} = commands[name] ?? {}
    for (const words of before) expect((await service.run(words)).exitCode).toBe(0)

    const ran = await service.run([...name.split(' '), ...good, '--json'])

    expect(ran.exitCode).toBe(0)
    expect(toEnvelope(ran.stdout)).toMatchObject({schema: 'vendorctl/1', ok: true, command: name, errors: []})
  })

  test.for(failures)('when it fails with exit %i', async ([exit, words], {start, home}) => {
    const service = await start({batches: 10})
    prepare(home)

    const ran = await service.run([...words, '--json'])

    expect(ran.exitCode).toBe(exit)
    expect(ran.stderr).toMatch(/^error: |error /m)
    const envelope = toEnvelope(ran.stdout)
    expect(envelope).toMatchObject({schema: 'vendorctl/1', ok: false, command: words.slice(0, 2).join(' ')})
    expect(envelope.errors.length).toBeGreaterThan(0)
    expect(envelope.errors[0].exit).toBe(exit)
  })
})
