import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const formats = ['xlsx', 'parquet', 'sqlite'] as const
describe.concurrent('a format that is no text', () => {
  test.for(formats)('%s is refused for standard output, and no request is sent', async (format, {run, sandbox}) => {
    for (const more of [[], ['--output-file', '-'], ['--json']]) {
      const ran = await run(['machines', 'list', '-o', format, ...more])

      expect(ran.exitCode).toBe(2)
      expect(ran.stderr).toContain(`${format} is written to a file only, never to standard output`)
    }

    expect(requestsOf(sandbox)).toEqual({})
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
