import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, secretsOf, test, writeLines as write} from '../support/binary.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}

describe.concurrent('a plan file', () => {
  test('is applied without its input, for its owner only and without a secret', async ({run, sandbox, home}) => {
    const before = site(sandbox, 1001)
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const plan = join(home.path, 'plan.json')

    const chosen = ['--stage', 'v2', '--fresh']
    const dry = await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan, ...chosen])
    rmSync(file)
    const told = ['sites', 'update', '--apply-plan', plan, ...chosen]
    const ran = await run([...told, '--json'])

    expect([dry.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(dry.stderr).toContain(`${plan}: the plan. To send exactly this: vendorctl ${told.join(' ')}\n`)
    expect(site(sandbox, 1001)).toEqual({...before, maxChargePrice: 777})
    expect(JSON.parse(ran.stdout)).toMatchObject({runId: expect.any(String), meta: {rows: {applied: 1}}})
    expect(requestsOf(sandbox)).toMatchObject({'sites.list': 2, 'sites.update': 1})
    expect(statSync(plan).mode & 0o777).toBe(0o600)
    for (const secret of secretsOf(sandbox)) expect(readFileSync(plan, 'utf8')).not.toContain(secret)
  })

  test('is shown before it is applied, whatever is in it; another is refused by name', async ({run, sandbox, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice,billingAddress', '1001,777,<b>here</b> & there')
    const plan = join(home.path, 'plan.json')
    await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan])
    const {maxChargePrice: price, name} = site(sandbox, 1001)

    const [table, markdown, html, other] = await Promise.all([
      run(['plan', 'show', plan]),
      run(['plan', 'show', plan, '-o', 'markdown']),
      run(['plan', 'show', plan, '-o', 'html']),
      run(['plan', 'show', file]),
    ])
    const written = await run(['plan', 'show', plan, '--output-file', 'plan.html'])

    expect([table, markdown, html, other].map((ran) => ran?.exitCode)).toEqual([0, 0, 0, 3])
    expect(table?.stdout.replaceAll(/ +/g, ' ')).toContain(`\n ~ 1001 ${name} maxChargePrice ${price} → 777\n`)
    expect(markdown?.stdout).toContain('<code>&lt;b>here&lt;/b> & there</code>')
    expect(html?.stdout).toContain('<td>&lt;b&gt;here&lt;/b&gt; &amp; there</td>')
    expect(written).toMatchObject({exitCode: 0, stdout: ''})
    expect(readFileSync(join(home.path, 'plan.html'), 'utf8')).toBe(html?.stdout)
    expect(other?.stderr).toContain(`${file} is not a plan file`)
    const {digest} = JSON.parse(readFileSync(plan, 'utf8'))
    for (const shown of [table, markdown, html]) expect(shown?.stdout).toContain(digest)

    const wrong = await run(['sites', 'update', '--apply-plan', plan, '--plan-digest', '0'.repeat(64)])
    const right = await run(['sites', 'update', '--apply-plan', plan, '--plan-digest', digest])

    expect([wrong.exitCode, right.exitCode]).toEqual([3, 0])
    expect(wrong.stderr).toContain(`${plan} is not the plan of --plan-digest; nothing was sent.`)
  })

  test('is applied as it was made when the input is another one by now', async ({run, sandbox, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const plan = join(home.path, 'plan.json')
    await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan])
    write(home, 'sites.csv', 'id,maxChargePrice', '1001,778')

    const named = await run(['sites', 'update', '-f', file, '--apply-plan', plan])
    const unnamed = await run(['sites', 'update', '--apply-plan', plan])

    expect([named.exitCode, unnamed.exitCode]).toEqual([3, 0])
    const digest = JSON.parse(readFileSync(plan, 'utf8')).input.sha256
    expect(named.stderr).toContain(`${file} is not the file that ${plan} was made of; nothing was sent.`)
    expect(named.stderr).toContain(`SHA-256 of the input of the plan: ${digest}`)
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
  })

  test('with its input unchanged, named or not', async ({run, sandbox, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const plan = join(home.path, 'plan.json')
    const results = join(home.path, 'results.csv')
    await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan])

    const ran = await run(['sites', 'update', '-f', file, '--apply-plan', plan, '--results', results])

    expect(ran.exitCode).toBe(0)
    expect(readFileSync(results, 'utf8')).toBe('id,maxChargePrice,_fate,_id,_code,_message\n1001,777,applied,1001,,\n')
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
  })

  test('names rows as a spreadsheet counts them, as its run and the undo of it do', async ({run, sandbox, home}) => {
    const file = write(home, 'sites.csv', 'id,billingAddress', '1001,"Quay', '7"', '1002,Road 8')
    const plan = join(home.path, 'plan.json')
    const change = (to: string) => sandbox.store.update('site', 1002, {...site(sandbox, 1002), billingAddress: to}, {})
    const planAgain = ['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan, '--overwrite']
    await run(planAgain)
    change('Theirs')

    const outdated = await run(['sites', 'update', '--apply-plan', plan])
    await run(planAgain)
    const applied = await run(['sites', 'update', '--apply-plan', plan, '--yes'])
    change('Mine')
    const undone = await run(['runs', 'undo', 'latest', '--yes'])
    const skipped = await run(['runs', 'undo', 'latest', '--skip-changed', '--yes'])

    expect([outdated.exitCode, applied.exitCode, undone.exitCode, skipped.exitCode]).toEqual([10, 0, 10, 0])
    expect(outdated.stderr).toContain(`${file}:4 (row 3) error site 1002 changed since`)
    expect(undone.stderr).toMatch(/run \S+ line 4 \(row 3\): site 1002 billingAddress is now "Mine"/)
    expect(skipped.stderr).toContain('line 4 (row 3) (billingAddress)')
  })

  test('writes refused rows beside itself, from the records it holds', async ({run, sandbox, home}) => {
    const file = write(home, 'data.csv', 'value,Machine Id,key', '"a ""b"", c",5001,one', ',5002,two', '"",5003,three')
    const plan = join(home.path, 'plan.json')
    const words = ['machines', 'custom-data', 'create']
    await run([...words, '-f', file, '--dry-run', '--plan-out', plan, '--empty', 'string'])
    rmSync(file)
    sandbox.add('custom_data', {id: 900_001, machineId: 5001, key: 'one', value: 'x'})

    const ran = await run([...words, '--apply-plan', plan])

    expect(ran.exitCode).toBe(5)
    const [header, first, second] = readFileSync(join(home.path, 'plan.rejects.csv'), 'utf8').split('\n')
    expect(header).toBe('value,machineId,key,_line,_code,_message')
    expect(first).toMatch(/^"a ""b"", c",5001,one,2,CUSTOM_DATA_EXISTS,/)
    expect(second).toMatch(/^"",5002,two,3,ROLLED_BACK,/)
  })

  test('fits one operation, one service and one stage', async ({run, sandbox, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const plan = join(home.path, 'plan.json')
    await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan])

    const other = await run(['sites', 'create', '--apply-plan', plan])
    const stage = await run(['sites', 'update', '--apply-plan', plan, '--stage', 'v2'])
    const service = await run(['sites', 'update', '--apply-plan', plan], {
      environment: {VENDORCTL_BASE_URL: 'http://127.0.0.1:9'},
    })

    const narrowed = await run(['sites', 'update', '1002', '--apply-plan', plan, '--yes'])

    expect([other.exitCode, stage.exitCode, service.exitCode, narrowed.exitCode]).toEqual([2, 2, 2, 2])
    expect(narrowed.stderr).toContain('chosen in one way only, and here are --apply-plan and arguments')
    expect(other.stderr).toContain(`Apply it with: vendorctl sites update --apply-plan ${plan}`)
    expect(stage.stderr).toContain(`was made for ${sandbox.url} (v2.1), but the profile names ${sandbox.url} (v2)`)
    expect(service.stderr).toContain('the profile names http://127.0.0.1:9 (v2.1)')
    expect(requestsOf(sandbox)['sites.update']).toBeUndefined()
  })
})

describe.concurrent('--plan-out', () => {
  test('needs a dry run and a path of its own', async ({run, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const text = readFileSync(file, 'utf8')
    const words = ['sites', 'update', '-f', file]

    const wet = await run([...words, '--plan-out', join(home.path, 'plan.json')])
    const same = await run([...words, '--dry-run', '--plan-out', file, '--overwrite'])
    const there = await run([...words, '--dry-run', '--plan-out', write(home, 'old.json', '{}')])
    const standard = await run([...words, '--dry-run', '--plan-out', '-'])
    const annotated = await run([...words, '--dry-run', '--annotations', file, '--overwrite'])
    const logged = await run([...words, '--dry-run', '--log-http', file])

    expect([wet, same, there, standard, annotated, logged].map(({exitCode}) => exitCode)).toEqual([2, 2, 2, 2, 2, 2])
    expect(logged.stderr).toContain('--file and --log-http are the same file')
    expect(same.stderr).toContain('--file and --plan-out are the same file')
    expect(there.stderr).toContain('Add --overwrite to replace it')
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(join(home.path, 'plan.json'))).toBe(false)
  })

  test('that cannot be opened leaves no other file behind, and an old one as it was', async ({run, home}) => {
    const file = write(home, 'sites.csv', 'id,maxChargePrice', '1001,777')
    const results = write(home, 'results.csv', 'old')
    const plan = join(home.path, 'nowhere', 'plan.json')
    const files = ['--rejects', join(home.path, 'rejects.csv'), '--results', results, '--overwrite']

    const ran = await run(['sites', 'update', '-f', file, '--dry-run', '--plan-out', plan, ...files])

    expect(ran).toMatchObject({exitCode: 12, stdout: ''})
    expect(ran.stderr).toContain(`cannot write ${plan}`)
    expect(readdirSync(home.path).filter((name) => name.includes('rejects') || name.includes('results'))).toEqual([
      'results.csv',
    ])
    expect(readFileSync(results, 'utf8')).toBe('old\n')
  })

  test('of a dry run that a run would stop at writes nothing', async ({run, home}) => {
    const plan = join(home.path, 'plan.json')

    const ran = await run(['sites', 'update', '-f', write(home, 's.csv', 'id,name', '77,A'), '-n', '--plan-out', plan])

    expect(ran.exitCode).toBe(3)
    expect([plan, `${plan}.part`].map((path) => existsSync(path))).toEqual([false, false])
  })

  test('a plan says how it is sent, so that flags may not', async ({run, home}) => {
    const ran = await run(['sites', 'update', '--apply-plan', join(home.path, 'plan.json'), '--set-size', '5'])
    const none = await run(['sites', 'update'])

    expect([ran.exitCode, none.exitCode]).toEqual([2, 2])
    expect(ran.stderr).toContain('cannot also be provided when using --apply-plan')
    expect(none.stderr).toContain('No site is chosen; nothing was sent.')
  })
})
