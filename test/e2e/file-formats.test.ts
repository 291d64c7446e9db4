import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {openDatabase} from '../../src/core/sqlite.js'
import {type Home, patience, requestsOf, test} from '../support/binary.js'

const formats = ['xlsx', 'parquet', 'sqlite'] as const
const range = ['--start', '-60d', '--end', 'today']

const filesOf = (home: Home) =>
  readdirSync(home.path)
    .filter((name) => !['config', 'state', 'cache'].includes(name))
    .sort()

describe.concurrent('a format that is no text', () => {
  test.for(formats)('%s is refused for standard output, and no request is sent', async (format, {run, sandbox}) => {
    for (const more of [[], ['--output-file', '-'], ['--json']]) {
      const ran = await run(['machines', 'list', '-o', format, ...more])

      expect(ran.exitCode).toBe(2)
      expect(ran.stderr).toContain(`${format} is written to a file only, never to standard output`)
    }

    expect(requestsOf(sandbox)).toEqual({})
  })

  test.for(formats)('%s leaves nothing behind after Ctrl-C', async (format, {start, home}) => {
    const {begin, sandbox} = await start({faults: ['drip@machines.list#2']})
    const path = join(home.path, 'm.out')
    const stopped = begin(['machines', 'list', '--page-size', '5', '-o', format, '--output-file', path])
    await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)

    stopped.child.kill('SIGINT')
    const ran = await stopped.ended

    expect(ran).toMatchObject({exitCode: 130, stdout: ''})
    expect(filesOf(home)).toEqual([])
  })

  test.for(formats)(
    '%s is exit 12 on a full disk, leaves nothing and tells of no rows',
    async (format, {start, home}) => {
      const {run} = await start({batches: 300})
      const path = join(home.path, 'r.out')

      const ran = await run(['reports', 'transactions', ...range, '-o', format, '--output-file', path], {
        through: ['/bin/sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'],
      })

      expect(ran.exitCode).toBe(12)
      expect(ran.stderr).toContain(path)
      expect(ran.stderr).not.toMatch(/\d rows/)
      expect(filesOf(home)).toEqual([])
    },
  )

  test('is a row per line item unless batches are asked for', async ({start, home}) => {
    const {run} = await start({batches: 30})
    const path = join(home.path, 'tx.db')

    await run(['reports', 'transactions', ...range, '--output-file', path])
    await run(['reports', 'transactions', ...range, '--rows', 'batches', '--output-file', path])

    const database = openDatabase(path, {readOnly: true})
    const counts = database.get(
      'SELECT (SELECT count(*) FROM transactions) batches, (SELECT count(DISTINCT id) FROM line_items) ids',
    )
    database.close()
    expect(counts?.['batches']).toBe(counts?.['ids'])
    expect(Number(counts?.['ids'])).toBeGreaterThan(10)
  })
})

describe.concurrent('a database of reads', () => {
  test('needs the columns by which rows are known again', async ({run, sandbox, home}) => {
    const words = ['reports', 'transactions', '--columns', 'id,lineItem.totalPrice', '--output-file', 'tx.db']

    const ran = await run(words)

    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('--columns leaves out lineItem.id')
    expect(requestsOf(sandbox)).toEqual({})
    expect(existsSync(join(home.path, 'tx.db'))).toBe(false)
  })
})
