import {once} from 'node:events'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, vi} from 'vitest'
import {type Home, patience, type Service, test} from '../support/binary.js'
import {recordsOf} from '../support/ndjson.js'

/** Makes the service of a test the running sandbox of its user. */
function record({state}: Home, {sandbox: {url, adminToken}}: Service, other = adminToken): void {
  mkdirSync(state, {recursive: true, mode: 0o700})
  const recorded = {pid: process.pid, url, adminToken: other, startedAt: '2026-01-01T00:00:00Z'}
  writeFileSync(join(state, 'sandbox.json'), JSON.stringify(recorded), {mode: 0o600})
}

test.concurrent('the log shows requests, filtered, in the usual formats, one completely', async ({service, home}) => {
  const {run, sandbox} = service
  record(home, service)
  const empty = await run(['sandbox', 'log'])
  sandbox.faults.set(['reset@sites.list#1'])
  await run(['sites', 'list', '--limit', '1'])
  await run(['api', 'PATCH', '/sites', '--body', '-'], {input: '{"body":[{"id":1,"name":"\u202e\\u001b[31mevil"}]}'})

  const log = await run(['sandbox', 'log'])
  const lines = await run(['sandbox', 'log', '-o', 'ndjson', '--operation', 'sites'])
  const csv = await run(['sandbox', 'log', '-o', 'csv', '--fault', 'reset', '--columns', 'operation,status,fault'])
  const none = await run(['sandbox', 'log', '--status', '5xx'])
  const refused = await run(['sandbox', 'log', '--status', '4xx', '-v'])
  const [, , {id} = {id: 0}] = recordsOf(lines.stdout)
  const one = await run(['sandbox', 'log', String(id), '--json'])
  const wrong = await Promise.all(
    [['99'], ['--status', '999'], ['--operation', 'sitess'], ['1', '--follow'], ['--follow', '--sort', 'id']].map(
      (words) => run(['sandbox', 'log', ...words]),
    ),
  )

  expect(empty).toMatchObject({exitCode: 0, stdout: '', stderr: 'No requests yet.\n'})
  expect(log.stdout.split('\n')[0]).toMatch(/^id +time +operation +status +ms +records +key +user +fault$/)
  expect(log.stdout).toMatch(/ sites\.list +none +\d+ +main +demo@sandbox\.example +reset@sites\.list#1\n/)
  expect(log.stdout).toMatch(/ sites\.list +200 +\d+ +1 +main +demo@sandbox\.example\n/)
  expect(Object.keys(recordsOf(lines.stdout)[0] ?? {}).join()).toBe(
    'id,time,operation,method,path,status,milliseconds,records,user,key,fault',
  )
  expect(csv.stdout).toBe('operation,status,fault\nsites.list,,reset@sites.list#1\n')
  expect(none).toMatchObject({exitCode: 0, stdout: '', stderr: 'No requests match.\n'})
  expect(refused.stdout).toContain('    > PATCH /v2.1/sites\n')
  expect(refused.stdout).toContain('    > x-api-key: (hidden)\n')
  expect(refused.stdout).toContain('"name": "\\u202e\\u001b[31mevil"')
  expect(refused.stdout).toMatch(/\n {4}[A-Z_]+ \(HTTP status 4\d\d\)\n {6}Meaning /)
  const [shown] = JSON.parse(one.stdout).data
  expect(shown).toMatchObject({
    id,
    status: expect.any(Number),
    explained: [{code: 'MISSING_REQUIRED_DATA'}, {code: 'MISSING_RECORD'}],
  })
  expect(shown.body).toContain('evil')
  for (const ran of wrong) expect(ran).toMatchObject({exitCode: 2, stdout: ''})
  expect(wrong.map(({stderr}) => stderr).join('')).toContain('vendorctl contract show')
})

test.concurrent('a follower gets each request, and is told when the sandbox is gone', async ({start, home}) => {
  const service = await start({limits: false})
  record(home, service)
  const running = service.begin(['sandbox', 'log', '--follow', '-o', 'csv', '--columns', 'operation,status'])
  const people = service.begin(['sandbox', 'log', '--follow'])
  const counted = service.begin(['sandbox', 'log', '--follow', '--limit', '2', '--json'])
  const interrupted = service.begin(['sandbox', 'log', '--follow'])
  await service.run(['machines', 'list', '--limit', '1'])
  await vi.waitUntil(
    () => [running, people, interrupted].every((one) => one.stdout().includes('machines.list')),
    patience,
  )
  interrupted.child.kill('SIGINT')
  await service.run(['sites', 'list', '--limit', '1'])
  await vi.waitUntil(() => [running, people].every((one) => one.stdout().includes('sites.list')), patience)

  await service.sandbox.close()
  const ended = await Promise.all([running, people].map((one) => one.ended))
  const full = await counted.ended

  expect(ended[0]?.stdout).toMatch(
    /^operation,status\nauth\.login,200\nmachines\.list,200\n(auth\.login,200\n)?sites\.list,200\n$/,
  )
  for (const ran of ended) {
    expect(ran.exitCode).toBe(75)
    expect(ran.stderr).toMatch(/No sandbox is running at http|The sandbox at .* does not answer/)
  }
  expect(full.exitCode).toBe(0)
  expect(JSON.parse(full.stdout).data).toHaveLength(2)
  expect((await interrupted.ended).exitCode).toBe(130)
})

test.concurrent('a follower whose reader left ends quietly, a slow one holds nothing up', async ({start, home}) => {
  const service = await start({limits: false})
  const {sandbox, run, begin} = service
  record(home, service)
  const slow = begin(['sandbox', 'log', '--follow', '-o', 'ndjson'])
  slow.child.stdout?.pause()
  const left = begin(['sandbox', 'log', '--follow', '-o', 'ndjson'])
  await run(['machines', 'list', '--limit', '1'])
  await once(left.child.stdout ?? process.stdin, 'data')
  left.child.stdout?.destroy()
  const path = `${sandbox.url}/v2.1/${'x'.repeat(500)}`
  for (let times = 0; times < 60; times++) await Promise.all(Array.from({length: 50}, () => fetch(path)))
  const ended = await left.ended
  slow.child.stdout?.resume()
  await vi.waitUntil(() => slow.stderr().includes('no longer keeps'), patience)
  slow.child.kill('SIGTERM')

  expect(ended).toMatchObject({exitCode: 0, stderr: ''})
  expect((await slow.ended).exitCode).toBe(143)
})

test.concurrent('the clock of the sandbox is moved, and says how far', async ({service, home, alone}) => {
  const none = await alone(['sandbox', 'clock', '+1d'])
  const {run} = service
  record(home, service, 'another token')
  const strangers = [await run(['sandbox', 'clock', '+1d']), await run(['sandbox', 'log'])]
  record(home, service)

  const moved = await run(['sandbox', 'clock', '+1d'])
  const again = await run(['sandbox', 'clock', '+1d', '--json'])
  const frozen = await run(['sandbox', 'clock', 'freeze'])
  const shown = await run(['sandbox', 'clock'])
  const wrong = await run(['sandbox', 'clock', 'noon'])
  const back = await run(['sandbox', 'clock', 'now', '--json'])

  expect(none).toMatchObject({exitCode: 2, stderr: expect.stringContaining('No sandbox is running.')})
  for (const ran of strangers) expect(ran).toMatchObject({exitCode: 14, stdout: ''})
  expect(moved.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(86,400 s ahead of this machine\)\n$/)
  expect(JSON.parse(again.stdout).data).toMatchObject({secondsAhead: 172_800, isFrozen: false})
  expect(frozen.stdout).toMatch(/ UTC \(172,800 s ahead of this machine, frozen\)\n$/)
  expect(shown.stdout.slice(0, 19)).toBe(frozen.stdout.slice(0, 19))
  expect(wrong).toMatchObject({exitCode: 2, stderr: expect.stringContaining('midnight, freeze')})
  expect(JSON.parse(back.stdout).data).toMatchObject({secondsAhead: 0, isFrozen: false})
})
