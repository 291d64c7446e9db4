import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'

const script = fileURLToPath(new URL('run.js', import.meta.url))

/** In processes of its own: what a dead life still does must not reach the test runner. */
async function simulate(...args: string[]): Promise<{code: number | null; lines: string[]}> {
  const child = spawn(process.execPath, [script, ...args])
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return {code, lines: `${errors}${out}`.trimEnd().split('\n')}
}

test('a fixed span of histories is told truly', {timeout: 300_000}, async () => {
  const {code, lines} = await simulate('--seeds', '1-120')

  expect(lines.at(-1)).toBe('0 wrong')
  expect(lines.find((line) => line.startsWith('120 histories'))).toMatch(/ [1-9]\d* kills$/)
  expect(code).toBe(0)
})
