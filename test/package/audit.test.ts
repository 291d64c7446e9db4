import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {expect, test} from 'vitest'
import {makeFolder} from '../support/folder.js'
import {root} from '../support/tarball.js'

const weak = {
  name: 'left',
  severity: 'high',
  range: '<2',
  via: [{title: 'Reads too far', url: 'https://example.com/1'}],
}
const report = (vulnerabilities: object) => ({vulnerabilities, metadata: {dependencies: {total: 9}}})

/** What the check says to an answer of npm. */
function check(answer: string) {
  const folder = makeFolder()
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\nexit 1\n`, {mode: 0o755})
  const env = {PATH: `${folder}${delimiter}${process.env['PATH']}`}
  const file = join(root, 'bin/tools/release/check-audit.js')
  const {status, stdout} = spawnSync(process.execPath, [file], {cwd: root, env, encoding: 'utf8'})
  return {status, lines: stdout.trimEnd().split('\n')}
}

test('packages without known vulnerabilities pass', () => {
  const {status, lines} = check(JSON.stringify(report({})))

  expect(status).toBe(0)
  expect(lines[0]).toBe('./package-lock.json: 0 of 9 packages have known vulnerabilities')
})

test('one that has some fails and is named', () => {
  const {status, lines} = check(JSON.stringify(report({left: weak})))

  expect(status).toBe(1)
  expect(lines[0]).toBe('./package-lock.json: left <2, high: Reads too far https://example.com/1')
})

test.each([
  ['an error', '{"message": "405 Method Not Allowed", "error": {}}', '405 Method Not Allowed'],
  ['no report', 'npm error', 'no report'],
])('%s in place of an answer is no pass', (_, answer, why) => {
  const {status, lines} = check(answer)

  expect(status).toBe(75)
  expect(lines[0]).toBe(`./package-lock.json: not checked, the registry does not answer: ${why}`)
})
