import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {root} from '../support/tarball.js'

type Component = {group?: string; name: string; version: string; licenses: unknown[]}

const dist = join(root, 'dist')
const notices = readFileSync(join(dist, 'third-party-notices.txt'), 'utf8')
const bill = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')) as {components: Component[]}

/** The folders of packages that the bundler named in the built files, which is most of them. */
function findBundled(): string[] {
  const files = readdirSync(dist, {recursive: true, encoding: 'utf8'}).filter((name) => /\.(c|m)?js$/.test(name))
  const marks = files.flatMap((name) => [
    ...readFileSync(join(dist, name), 'utf8').matchAll(/^\s*\/\/(?:#region)? (node_modules\/.*)$/gm),
  ])
  return [...new Set(marks.map(([, path = '']) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path))]
}

/** `NAME VERSION` of each. */
const bundled = findBundled()
  .map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Component)
  .map(({name, version}) => `${name} ${version}`)
  .sort()

const named = [...notices.matchAll(/^(\S+ \d\S*) \([\w.-]+\)$/gm)].map(([, name]) => name)

test('the notices name every package of which something is found in the built files, with its licence', () => {
  expect(bundled.length).toBeGreaterThan(20)
  expect(bundled.filter((name) => !named.includes(name))).toEqual([])
  expect(notices).toMatch(/^got \S+ \(MIT\)\n\nMIT License\n\nCopyright \(c\) Sindre Sorhus/m)
})

test('the bill of materials names the same packages, each with a licence', () => {
  const listed = bill.components.map(({group, name, version}) => `${group ? `${group}/` : ''}${name} ${version}`)

  expect(listed.sort()).toEqual(named.sort())
  expect(bill.components.filter(({licenses}) => licenses.length === 0)).toEqual([])
})
