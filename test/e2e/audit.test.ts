import {appendFileSync, readdirSync, readFileSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {test, writeLines} from '../support/binary.js'
import {sharedPostgres} from '../support/postgres.js'

const sites = ['id,maxChargePrice', '1001,777', '1002,778']

describe.concurrent('runs audit', () => {
  test('keeps a line of a write whose journal is gone, whatever a broken disk left beside it', async ({start}) => {
    const {run, home} = await start({faults: ['reset-after-commit@sites.update#2']})
    const write = ['sites', 'update', '-f', writeLines(home, '=1+1|<b>.csv', ...sites), '--yes', '--set-size', '1']
    const {runId} = JSON.parse((await run([...write, '--json'])).stdout)

    const before = await run(['runs', 'audit', '-o', 'json'])
    await run(['runs', 'reconcile', 'latest'])
    await run(['runs', 'remove', runId, '--yes'])
    const [month = ''] = readdirSync(join(home.state, 'audit'))
    appendFileSync(join(home.state, 'audit', month), '{"runId": "cut')
    const after = await run(['runs', 'audit', '--start', 'today', '--json'])
    const none = await run(['runs', 'audit', '--end', '2024-12', '-o', 'csv'])
    const page = await run(['runs', 'audit', '--where', 'applied>1', '--output-file', 'audit.html'])
    const wrong = await run(['runs', 'audit', '--start', 'soon'])

    const entry = {runId, user: userInfo().username, command: 'sites update', approvedBy: null}
    expect(JSON.parse(before.stdout)).toMatchObject([{...entry, applied: 1, inDoubt: 1, unsent: 0}])
    expect(JSON.parse(after.stdout)).toMatchObject({
      data: [{...entry, applied: 2, inDoubt: 0, digest: expect.stringMatching(/^[0-9a-f]{64}$/)}],
      warnings: [expect.stringContaining('1 line of the audit cannot be read')],
    })
    expect(none.stdout).toBe(
      'time,host,user,command,file,digest,applied,refused,rolledBack,inDoubt,unsent,unchanged,approvedBy,runId\n',
    )
    expect(page.exitCode).toBe(0)
    expect(readFileSync(join(home.path, 'audit.html'), 'utf8')).toMatch(
      /<dt>Applied<\/dt><dd>2<.*=1\+1\|&lt;b&gt;\.csv/s,
    )
    expect(wrong).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--start')})
  })

  test('lists the writes of all machines that share a budget; each keeps its own as it likes', async ({run, home}) => {
    const server = await sharedPostgres()
    const url = await server.database()
    const machine = (name: string) => ({
      environment: {VENDORCTL_BUDGET: url, XDG_STATE_HOME: join(home.path, `state-${name}`)},
    })
    const write = ['sites', 'update', '-f', writeLines(home, 'sites.csv', ...sites), '--yes']

    const one = await run([...write, '--json'], machine('one'))
    const old = `SELECT name, '2020-01-01Z', json_build_object('runId', name, 'host', host)::text`
    const hosts = `(VALUES ('kept', 'elsewhere'), ('dropped', '${hostname()}')) AS old(name, host)`
    await server.sql(`INSERT INTO vendorctl.audit ${old} FROM ${hosts}`, url)
    const all = await run(['runs', 'audit', '--json'], machine('other'))
    const own = await run(['runs', 'audit', '--json'])

    const {runId} = JSON.parse(one.stdout)
    expect(JSON.parse(all.stdout).data).toMatchObject([
      {runId, file: expect.stringContaining('sites.csv'), applied: 2},
      {runId: 'kept'},
    ])
    expect(JSON.parse(own.stdout).data).toEqual([])
  })
})
