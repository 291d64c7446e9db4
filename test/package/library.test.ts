import {execFile, spawnSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {findBlocks} from '../support/readme.js'
import {type Packed, packTarball, root} from '../support/tarball.js'

let packed: Packed
let sandbox: Sandbox

beforeAll(async () => {
  packed = packTarball()
  sandbox = await startSandbox({batches: 40, machines: 20})
})

afterAll(async () => {
  packed.remove()
  await sandbox.close()
})

/** What a program in a folder where the package is installed prints; fails when it fails. */
async function run(name: string, code: string) {
  writeFileSync(join(packed.folder, name), code)
  const {url, apiKey, username, password} = sandbox
  const env = {
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: apiKey,
    VENDORCTL_USERNAME: username,
    VENDORCTL_PASSWORD: password,
  }
  return promisify(execFile)(process.execPath, [join(packed.folder, name)], {env})
}

/** What the compiler says to a strict program in that folder. */
function compile(code: string, options: object) {
  const strict = {target: 'ES2022', strict: true, noEmit: true, types: [], ...options}
  writeFileSync(join(packed.folder, 'use.mts'), code)
  writeFileSync(join(packed.folder, 'tsconfig.json'), JSON.stringify({compilerOptions: strict, files: ['use.mts']}))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return spawnSync(process.execPath, [tsc, '-p', packed.folder], {encoding: 'utf8'}).stdout
}

const [example = ''] = findBlocks(readFileSync(join(root, 'src/cli/help/guides/library.md'), 'utf8'), 'js')

test('the program that the text shows runs, and reads what is there', async () => {
  const {stdout, stderr} = await run('example.mjs', example)

  expect(stderr).toBe('')
  expect(stdout.split('\n').slice(0, -1)).toHaveLength(21)
  expect(stdout).toMatch(/^Combo 1 0\.00\n(\{"id":"B\d+",.*\n){20}$/)
})

test.each([
  ['import.mjs', "import {CliFailure, createClient} from 'vendorctl'"],
  ['require.cjs', "const {CliFailure, createClient} = require('vendorctl')"],
])('serves programs alike that import and that require: %s', async (name, first) => {
  const code = `${first}
    const client = createClient({baseUrl: process.env.VENDORCTL_BASE_URL, credentials: {apiKey: 'wrong'}})
    client.testKey().catch((error) => console.log(error instanceof CliFailure, error.exit))`

  expect((await run(name, code)).stdout).toBe('true denied\n')
})

test('a failure is one for those that import and for those that require, whoever made it', async () => {
  const code = `
    import {createRequire} from 'node:module'
    import * as imported from 'vendorctl'
    const required = createRequire(import.meta.url)('vendorctl')
    const client = (library) => library.createClient({baseUrl: process.env.VENDORCTL_BASE_URL, credentials: {apiKey: 'x'}})
    for (const [maker, reader] of [[imported, required], [required, imported]]) {
      const failure = await client(maker).testKey().catch((error) => error)
      console.log(failure instanceof maker.CliFailure, failure instanceof reader.CliFailure, failure.exit)
      for (const other of [new Error('x'), {...failure}, null, undefined, 'x']) console.log(other instanceof reader.CliFailure)
    }`

  const {stdout} = await run('both.mjs', code)

  expect(stdout).toBe(`true true denied\n${'false\n'.repeat(5)}`.repeat(2))
})

const program = `
import {CliFailure, createClient, type ReadRecord, type SentRecord, numberText} from 'vendorctl'

const client = createClient({baseUrl: 'https://api.example.com', credentials: () => ({apiKey: 'key'})})
const site: SentRecord<'sites.create'> = {
  accountId: 1, orgId: 2, name: 'A', isActive: true, maxChargePrice: 5, maximumMeterSalesJumpAllowed: 6,
  commissionTerms: 'Net30', contact: {firstName: null},
}
export async function use(machine: ReadRecord<'machines.list'>): Promise<string | undefined> {
  for await (const {records} of client.readPages('alerts.list', {filters: {alertCodes: ['NS'], StartDate: '-7d'}}))
    for (const {message} of records) return message
  const answer = await client.write('sites.create', {records: [site]})
  if (answer.fate === 'unsent' && answer.failure instanceof CliFailure) return answer.failure.exit
  return machine.lastCashSale?.local ?? numberText(machine.taxPercentage ?? 0)
}
// From here on every line is wrong.
client.readPages('machine.list')
client.readPages('sites.list', {filters: {machineIdentifiers: ['1']}})
client.write('sites.create', {records: [{name: 'A'}]})
client.write('alerts.update', {records: [{id: 1, isCleared: 'yes'}]})
client.write('alerts.clear', {filters: {}})
`

const resolutions = [
  ['NodeNext', 'NodeNext'],
  ['ESNext', 'Bundler'],
] as const

test.each(resolutions)('the program that the text shows is one of strict types: %s, %s', (module, moduleResolution) => {
  const types = {types: ['node'], typeRoots: [join(root, 'node_modules', '@types')]}
  const stricter = {exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true}

  expect(compile(example, {module, moduleResolution, ...types, ...stricter})).toBe('')
})

test.each(resolutions)(
  'strict programs compile against its types, and only what is wrong does not: %s, %s',
  (module, moduleResolution) => {
    const said = compile(program, {module, moduleResolution})

    const lines = [...said.matchAll(/\((\d+),\d+\): error /g)].map(([, line]) => program.split('\n')[Number(line) - 1])
    expect(lines).toEqual(program.split('\n').slice(-6, -1))
  },
)
