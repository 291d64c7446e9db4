import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {type Home, patience, type Service, secretsOf, test, writeLines} from '../support/binary.js'
import {siteHeader, siteLine} from '../support/site-lines.js'

const inDoubt = 'reset-after-commit@sites.create#2'

/** Five sites in sets of two. */
const writeSites = (home: Home) =>
  writeLines(
    home,
    'sites.csv',
    siteHeader,
    ...['One', 'Two', 'Three', 'Four', 'Five'].map((name) => siteLine(`Pier ${name}`)),
  )

/** A run of five rows whose second set was applied and never answered. */
async function makeDoubt(home: Home, {run}: Service): Promise<string> {
  const ran = await run(['sites', 'create', '-f', writeSites(home), '--set-size', '2', '--json'])
  expect(ran.exitCode).toBe(7)
  return String(JSON.parse(ran.stdout).runId)
}

describe.concurrent('a run in doubt', () => {
  test('goes on on another machine from a copy of the journals', async ({start, home}) => {
    const service = await start({faults: [inDoubt]})
    const id = await makeDoubt(home, service)
    const there = join(home.path, 'there')
    const before = service.sandbox.store.count('site')
    const take = `mkdir -p -m 700 ${there}/vendorctl && tar -cz -C ${home.state}/.. vendorctl/runs | tar -xz -C ${there}`
    expect(spawnSync('sh', ['-c', take]).status).toBe(0)

    const words = ['runs', 'resume', id, '--yes', '--settle', '0', '--json']
    const resumed = await service.run(words, {environment: {XDG_STATE_HOME: there}})

    expect(resumed.exitCode).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({meta: {rows: {applied: 5, inDoubt: 0, unsent: 0}}})
    expect(service.sandbox.store.count('site')).toBe(before + 1)
  })
})

describe.concurrent('the results of a run', () => {
  test('have the columns of the input while that is as it was, else those of what was sent', async ({start, home}) => {
    const service = await start({faults: [inDoubt]})
    const id = await makeDoubt(home, service)

    const shown = await service.run(['runs', 'show', 'latest'])
    const same = await service.run(['runs', 'results', 'latest', '-o', 'csv'])
    rmSync(join(home.path, 'sites.csv'))
    const gone = await service.run(['runs', 'results', 'latest', '-o', 'json', '--where', '_fate=inDoubt'])

    expect(shown.stdout).toContain(`Run ${id}: 2 of 5 rows are in doubt.`)
    const [head, first] = same.stdout.split('\n')
    expect(head).toBe(`${siteHeader},_line,_fate,_id,_code,_message`)
    expect(first).toMatch(/^201,101,Pier One,true,500,10,Net10,2,applied,\d+,,$/)
    expect(same.stdout.match(/,inDoubt,,IN_DOUBT,/g)).toHaveLength(2)
    expect(JSON.parse(gone.stdout)).toMatchObject([
      {name: 'Pier Three', maxChargePrice: 500, _line: 4, _fate: 'inDoubt', _id: null},
      {name: 'Pier Four', _line: 5},
    ])
  })
})

describe.concurrent('a run that goes on', () => {
  test('is shown with its process, and nobody else gets at it, even when it stands still', async ({start, home}) => {
    const {begin, run, sandbox} = await start({faults: ['drip(150)@sites.create#1']})
    const running = begin(['sites', 'create', '-f', writeSites(home), '--set-size', '5'])
    await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)
    running.child.kill('SIGSTOP')

    const shown = await run(['runs', 'list', '--open', '-o', 'json'])
    const others = await Promise.all(
      [
        ['resume', 'latest', '--yes'],
        ['reconcile', 'latest'],
        ['remove', 'latest', '--yes'],
      ].map((words) => run(['runs', ...words])),
    )
    running.child.kill('SIGCONT')
    const ran = await running.ended

    expect(JSON.parse(shown.stdout)).toMatchObject([{state: 'running', pid: String(running.child.pid)}])
    expect(others.map(({exitCode}) => exitCode)).toEqual([13, 13, 13])
    expect(others[0]?.stderr).toContain(`pid ${running.child.pid}`)
    expect(ran.exitCode).toBe(0)
    expect(existsSync(join(home.path, 'x'))).toBe(false)
  })
})

test('nothing secret is in any file of the state, also while a run goes on', async ({start, home}) => {
  const {begin, sandbox} = await start({faults: ['drip(150)@sites.create#1']})
  const running = begin(['sites', 'create', '-f', writeSites(home), '--set-size', '5'])
  await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)
  running.child.kill('SIGKILL')
  await running.ended

  const files = readdirSync(home.state, {recursive: true, encoding: 'utf8'}).filter((name) => /runs\/|\.db/.test(name))
  const texts = files.map((name) => readFileSync(join(home.state, name), 'latin1'))
  const found = secretsOf(sandbox).filter((secret) => texts.some((text) => text.includes(secret)))

  expect(files.some((name) => name.endsWith('.run-wal'))).toBe(true)
  expect(texts.some((text) => text.includes('Pier Three'))).toBe(true)
  expect(found).toEqual([])
})

test('nothing to resume is no success', async ({run, home}) => {
  const never = await run(['runs', 'resume', '--json'])
  await run(['sites', 'create', '-f', writeSites(home)])
  const done = await run(['runs', 'resume'])
  const [id = ''] = readdirSync(join(home.state, 'runs')).filter((name) => name.endsWith('.run'))
  rmSync(join(home.state, 'runs', `${id}-sent`))
  const unreadable = await run(['runs', 'resume'])

  expect([never.exitCode, done.exitCode, unreadable.exitCode]).toEqual([9, 9, 12])
  expect(JSON.parse(never.stdout)).toMatchObject({ok: false, errors: [{code: 'NOTHING_TO_RESUME', exit: 9}]})
  expect(done.stderr).toContain('No write is unfinished.')
  expect(unreadable.stderr).toContain(id)
})

test('rows that an earlier run applied have their fields in the results, whatever the file', async ({run, home}) => {
  const words = ['sites', 'create', '-f', writeSites(home), '--set-size', '2']
  await run([...words, '--max-requests', '3'])
  await run(words)
  writeFileSync(join(home.path, 'sites.csv'), 'something else')

  const {stdout} = await run(['runs', 'results', 'latest', '-o', 'json'])

  const names = ['Pier One', 'Pier Two', 'Pier Three', 'Pier Four', 'Pier Five']
  expect(JSON.parse(stdout).map(({name}: {name?: string}) => name)).toEqual(names)
  expect(JSON.parse(stdout)[0]).toMatchObject({_fate: 'applied', _code: 'APPLIED_BEFORE', maxChargePrice: 500})
})
