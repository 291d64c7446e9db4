import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {parse} from 'yaml'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const versions = JSON.parse(read('test/nodes/versions.json')) as string[]
const {engines, devDependencies} = JSON.parse(read('package.json'))
const [major = '', minor = ''] = versions[0]?.split('.') ?? []

test('the oldest Node that is tested is the oldest that is promised', () => {
  expect(engines.node).toBe(`>=${major}.${minor}`)
  expect(read('bin/run.js')).toContain(`var oldest = [${major}, ${minor}]`)
  expect(read('README.md')).toContain(`Node ${major}.${minor} or newer`)
})

test('the Node of the checkout is among them', () => {
  expect(versions.map((version) => `^${version}`)).toContain(devDependencies.node)
})

test('continuous integration tests the same lines', () => {
  const {jobs} = parse(read('.github/workflows/gate.yml'))

  expect(jobs.nodes.strategy.matrix.node.map(String)).toEqual(versions.map((version) => version.split('.')[0]))
})
