import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {test} from '../support/binary.js'
import {recordsOf} from '../support/ndjson.js'

const watch = ['alerts', 'list', '--since-last', 'watch', '-o', 'ndjson']
const idsOf = (text: string) => recordsOf(text).map(({id}) => id)

test('alerts are listed when new and when changed, again after an output that failed', async ({run, sandbox, home}) => {
  const unstarted = await run(watch)
  const first = await run([...watch, '--start', '-130d'])
  const none = await run(watch)
  const open = sandbox.store.read('alert').filter(({isCleared}) => isCleared === false)
  const id = Number(
    open.sort((one, other) => (String(one['raisedAt']) < String(other['raisedAt']) ? 1 : -1))[0]?.['id'],
  )

  const cleared = await run(['alerts', 'clear', '--alert', String(id)])
  const lost = await run(watch, {stdout: '/dev/full'})
  sandbox.faults.set(['status(403)@alerts.list'])
  const unread = await run([...watch, '--output-file', 'a.ndjson'])
  sandbox.faults.clear()
  const filed = await run([...watch, '--output-file', 'b-{date}.ndjson'])
  const shown = await run(['exports', 'list'])
  const after = await run(watch)

  expect([unstarted, first, none, cleared, lost, unread, filed, after].map(({exitCode}) => exitCode)).toEqual([
    ...[2, 0, 0, 0],
    ...[12, 4, 0, 0],
  ])
  expect(new Set(idsOf(first.stdout)).size).toBe(sandbox.store.read('alert').length)
  expect([none, after].map(({stdout, stderr}) => stdout + stderr)).toEqual(['', ''])
  expect(unread.stderr).toContain('List watch is complete up to ')
  expect(existsSync(join(home.path, 'a.ndjson'))).toBe(false)
  const [name = ''] = readdirSync(home.path).filter((found) => /^b-\d{4}-\d\d-\d\d\.ndjson$/.test(found))
  const file = join(home.path, name)
  expect(idsOf(readFileSync(file, 'utf8'))).toEqual([id])
  expect(JSON.parse(shown.stdout)).toMatchObject({name: 'watch', command: 'alerts list', state: 'done', rows: 1, file})
})
