import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
const known = '201,101,Ferry Quay,true,555,1000,PrePaid'
const news = ['201,101,Harbour Street,true,700,1000,Net15', '202,102,Tram Stop,true,700,1000,Net15']

function fileOf(folder: string, lines: readonly string[]): string {
  const path = join(folder, 'sites.csv')
  writeFileSync(path, `${[header, ...lines].join('\n')}\n`)
  return path
}

const list = ['sites', 'list', '--account', '201,202', '--columns', 'id,name,maxChargePrice', '-o', 'csv']

describe.concurrent('sites apply', () => {
  test('updates what exists, creates the others, and is undone as a whole', async ({run, sandbox, home}) => {
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [news[0] ?? '', known, news[1] ?? ''])]
    const before = (await run(list)).stdout

    const dry = JSON.parse((await run([...apply, '--dry-run', '--json'])).stdout)
    const ran = JSON.parse((await run([...apply, '--yes', '--json'])).stdout)
    const again = JSON.parse((await run([...apply, '--yes', '--json'])).stdout)
    const undo = ['runs', 'undo', ran.runId, '--yes', '--confirm-count', '2', '--json', '--run-page', 'undo.md']
    const undone = JSON.parse((await run(undo)).stdout)
    const page = readFileSync(join(home.path, 'undo.md'), 'utf8')
    const [, timeline = ''] = page.split('#### Timeline')

    expect(dry.meta.changes).toEqual({created: 2, updated: 1})
    expect(ran.meta).toMatchObject({changes: {created: 2, updated: 1}, rows: {applied: 3}})
    expect(ran.data.rows.map(({fate}: {fate: string}) => fate)).toEqual(['applied', 'applied', 'applied'])
    expect(again.meta).toMatchObject({changes: {created: 0, updated: 0}, rows: {unchanged: 3}})
    expect(undone.meta.rows).toMatchObject({applied: 3})
    expect(page).toMatch(/#### What to do next.*#### Timeline/s)
    expect(timeline.match(/ended: ok/g)).toHaveLength(2)
    expect(timeline).toMatch(/Delete sites: run \S+, by the clock.*Update sites: run \S+, by the clock/s)
    expect((await run(list)).stdout).toBe(before)
    expect(requestsOf(sandbox)).toMatchObject({'sites.update': 2, 'sites.create': 1, 'sites.delete': 1})
  })

  test('nothing is sent for a name that is nearly another, unless that is meant', async ({run, sandbox, home}) => {
    const apply = ['sites', 'apply', '-f', fileOf(home.path, ['201,101,Fery Quay,true,555,1000,PrePaid']), '--yes']

    const blocked = await run(apply)
    const meant = await run([...apply, '--allow-similar'])
    fileOf(home.path, ['202,102,Gran Mill,true,,1000,PrePaid'])
    const [lacking, lackingMeant] = [await run(apply), await run([...apply, '--allow-similar'])]

    expect(blocked).toMatchObject({exitCode: 3})
    expect(blocked.stderr).toContain('sites.csv:2:3 error name: "Fery Quay" would be created, but "Ferry Quay" (1001)')
    expect(meant).toMatchObject({exitCode: 0})
    expect(lacking.stderr).toContain('sites.csv:2:3 name: "Gran Mill" would be created, but "Grain Mill" (1014)')
    expect(lackingMeant.stderr).not.toContain('would be created')
    expect(requestsOf(sandbox)['sites.create']).toBe(1)
  })

  test('--no-create and --no-update name rows; a new row needs what a record needs', async ({run, sandbox, home}) => {
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, ...news]), '--yes']

    const [noCreate, noUpdate] = [await run([...apply, '--no-create']), await run([...apply, '--no-update'])]
    fileOf(home.path, [known, '201,101,Harbour Street,true,,1000,Net15'])
    const [empty, emptyNoCreate] = [await run(apply), await run([...apply, '--no-create'])]
    fileOf(home.path, ['201,101,Harbour Street,true,"1,5",1000,Net15'])
    const wrong = await run(apply)

    expect([noCreate, noUpdate, empty, wrong].map(({exitCode}) => exitCode)).toEqual([3, 3, 3, 3])
    expect(wrong.stderr).toContain('sites.csv: 1 problem in 1 row;')
    expect(noCreate.stderr).toContain('sites.csv:3 error its record does not exist (--no-create) (2 rows: lines 3–4)')
    expect(emptyNoCreate.stderr).toContain('sites.csv:3 error its record does not exist (--no-create)')
    expect(emptyNoCreate.stderr).not.toContain('required')
    expect(noUpdate.stderr).toContain('sites.csv:2 error it would change its record (--no-update)')
    expect(empty.stderr).toContain('sites.csv:3:5 error maxChargePrice: required, because the row makes a new record')
    expect(requestsOf(sandbox)).not.toHaveProperty('sites.create')
  })

  test('a plan of both kinds is applied by the same command, and once', async ({run, home}) => {
    const plan = join(home.path, 'plan.json')
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, ...news])]

    await run([...apply, '--dry-run', '--plan-out', plan])
    const other = await run(['sites', 'update', '--apply-plan', plan, '--yes'])
    const ran = await run(['sites', 'apply', '--apply-plan', plan, '--yes', '--json'])
    const twice = await run(['sites', 'apply', '--apply-plan', plan, '--yes'])

    expect([other, ran, twice].map(({exitCode}) => exitCode)).toEqual([2, 0, 10])
    expect(JSON.parse(ran.stdout).meta.changes).toEqual({created: 2, updated: 1})
  })

  test('an undo sends nothing while one record is in the way, and the rest after', async ({run, sandbox, home}) => {
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, ...news]), '--yes', '--json']
    const {runId} = JSON.parse((await run(apply)).stdout)
    const undo = ['runs', 'undo', runId, '--yes', '--confirm-count', '2', '--json']

    await run(['sites', 'update', '1001', '--set', 'maxChargePrice=999', '--yes'])
    const conflict = await run(undo)
    const sent = requestsOf(sandbox)
    const skipped = JSON.parse((await run([...undo, '--skip-changed'])).stdout)

    expect(conflict.exitCode).toBe(10)
    expect(JSON.parse(conflict.stdout).errors[0]).toMatchObject({code: 'CHANGED_SINCE', changed: 'none'})
    expect(sent).not.toHaveProperty('sites.delete')
    expect(skipped.meta.rows).toMatchObject({applied: 2})
    expect(requestsOf(sandbox)).toMatchObject({'sites.delete': 1, 'sites.update': 2})
  })

  test('an undo whose deletions are refused changes nothing back, and counts those rows as unsent', async ({start}) => {
    const {run, sandbox, home} = await start({faults: ['status(400)@sites.delete#1']})
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, ...news]), '--yes', '--json']
    const {runId} = JSON.parse((await run(apply)).stdout)

    const undone = await run(['runs', 'undo', runId, '--yes', '--confirm-count', '2', '--json'])
    const again = await run(['runs', 'undo', runId, '--yes', '--confirm-count', '2', '--json'])

    expect(undone.exitCode).toBe(5)
    expect(JSON.parse(undone.stdout).meta.rows).toMatchObject({applied: 0, refused: 2, unsent: 1})
    expect(again.exitCode).toBe(0)
    expect(JSON.parse(again.stdout).meta.rows).toMatchObject({applied: 3, unsent: 0})
    expect(requestsOf(sandbox)).toMatchObject({'sites.delete': 2, 'sites.update': 2})
  })

  test('an undo asks and counts for both of its writes before one', async ({run, environment, sandbox, home}) => {
    const depot = '202,102,Old Depot,true,700,1000,PrePaid'
    await run(['sites', 'create', '-f', fileOf(home.path, [depot]), '--yes'])
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, depot.replace('700', '755'), ...news]), '--yes']
    const {runId} = JSON.parse((await run([...apply, '--json'])).stdout)
    const undo = ['runs', 'undo', runId, '--confirm-count', '2']

    const tooMany = await run([...undo, '--yes', '--max-records', '3'])
    const unasked = await run(undo, {environment: {VENDORCTL_YES: 'false'}})
    const sent = requestsOf(sandbox)
    const no = await onTerminal(`$vendorctl ${undo.join(' ')}`, environment, ['n\r'])

    expect([tooMany.exitCode, unasked.exitCode]).toEqual([8, 2])
    expect(tooMany.stderr).toContain('4 records to send, but --max-records allows 3')
    expect(sent).not.toHaveProperty('sites.delete')
    expect(no.exitCode).toBe(1)
    expect(no.screen).toContain('Cancelled; nothing else was sent.')
    expect(requestsOf(sandbox)['sites.delete']).toBe(1)
  })

  test('an undo that is planned is two plans, one after the other', async ({run, home}) => {
    const before = (await run(list)).stdout
    const apply = ['sites', 'apply', '-f', fileOf(home.path, [known, ...news]), '--yes', '--json']
    const undo = ['runs', 'undo', JSON.parse((await run(apply)).stdout).runId]
    const planned = [...undo, '--dry-run', '--plan-out', 'undo.json', '--overwrite']
    const send = [...undo, '--apply-plan', 'undo.json', '--yes']

    const first = await run(planned)
    const deleted = await run([...send, '--confirm-count', '2'])
    const second = await run(planned)
    const changed = await run(send)

    expect([first, deleted, second, changed].map(({exitCode}) => exitCode)).toEqual([0, 0, 0, 0])
    expect(first.stderr).toContain(
      'the plan leaves 1 row to another write; once this plan is applied, plan those rows with: vendorctl',
    )
    expect((await run(list)).stdout).toBe(before)
  })

  test('a plan that creates is applied where an account has more sites than fit on a page', async ({run, home}) => {
    const kiosks = Array.from({length: 2_100}, (_, place) => `201,101,Kiosk ${place},true,555,1000,PrePaid`)
    await run(['sites', 'create', '-f', fileOf(home.path, kiosks), '--yes'])

    await run(['sites', 'apply', '-f', fileOf(home.path, news), '--dry-run', '--plan-out', 'plan.json'])
    const ran = await run(['sites', 'apply', '--apply-plan', 'plan.json', '--yes', '--json'])

    expect(JSON.parse(ran.stdout).meta).toMatchObject({changes: {created: 2, updated: 0}, rows: {applied: 2}})
  })

  test('a lost create is settled before a later set is refused; a plan takes no flag it holds', async ({start}) => {
    const {run, home} = await start({faults: ['reset-after-commit@sites.create#1'], limits: false})
    const lines = [...news, '203,999,Nowhere,true,700,1000,Net15']
    const apply = ['sites', 'apply', '-f', fileOf(home.path, lines), '--set-size', '2', '--yes', '--json']

    const first = JSON.parse((await run(apply)).stdout)
    const resume = ['runs', 'resume', 'latest', '--settle', '0', '--resend-after-settle', '--yes', '--json']
    const resumed = JSON.parse((await run(resume)).stdout)
    const twice = await run(['sites', 'apply', '--apply-plan', 'plan.json', '--no-create', '--yes'])

    expect(first.data.rows.map(({fate}: {fate: string}) => fate)).toEqual(['inDoubt', 'inDoubt', 'unsent'])
    expect(resumed.data.rows.map(({fate}: {fate: string}) => fate)).toEqual(['applied', 'applied', 'refused'])
    expect(resumed.errors[0]).toMatchObject({line: 4, message: 'Organization does not exist.'})
    expect(twice.exitCode).toBe(2)
  })
})
