import {execFile} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {readSourceFiles} from '../support/source-files.js'
import {planted} from './planted.js'
import {regressions} from './regressions.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('run.js', import.meta.url))

/** In processes of its own: what a dead life still does must not reach the test runner. */
async function simulate(args: string[], environment = {}): Promise<{code: number; lines: string[]}> {
  const words = ['--disable-warning=ExperimentalWarning', script, ...args]
  const options = {env: {...process.env, ...environment}, maxBuffer: Number.POSITIVE_INFINITY}
  const {code = 0, stdout, stderr} = await run(process.execPath, words, options).catch((error) => error)
  return {code, lines: `${stderr}${stdout}`.trimEnd().split('\n')}
}

test('a fixed span of histories is told truly, and the same in another worker and time zone', {
  timeout: 300_000,
}, async () => {
  const {code, lines} = await simulate(['--seeds', '1-105', '--digests', '--regressions'])
  const again = await simulate(['--seeds', '1-5', '--digests', '--workers', '1'], {TZ: 'Asia/Tokyo'})

  expect(lines.at(-1)).toBe('0 wrong')
  expect(lines.find((line) => line.startsWith(`${105 + regressions.length} histories`))).toMatch(/ [1-9]\d* kills$/)
  expect(code).toBe(0)
  expect(lines).toEqual(expect.arrayContaining(again.lines.filter((line) => line.includes('digest'))))
})

test('each planted bug has its one place in the source', () => {
  const source = readSourceFiles('src').reduce((all, {text}) => all + text, '')

  for (const [name, [, , from]] of Object.entries(planted)) expect(source.split(from), name).toHaveLength(2)
})

test('planted bugs are found', {timeout: 300_000}, async () => {
  const names = Object.keys(planted).slice(0, 4)

  const {code, lines} = await simulate(['--planted', ...names])

  expect(lines.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual(
    names.map((name) => `${name}: seed ${planted[name]?.[1]}`),
  )
  expect(code).toBe(0)
})
