import {spawnSync} from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {test as base, expect} from 'vitest'

const driver = fileURLToPath(new URL('../support/code-cache-driver.cjs', import.meta.url))

type Kept = {path: string; kinds: string[]; bytes: number; inode: number}

type Fixtures = {
  folder: string
  /** Writes the module; at the same time of day unless another is given. */
  write: (word: string, seconds?: number) => void
  /** Runs it; what it printed. */
  run: (kind?: string, options?: {trouble?: string; options?: string[]}) => string
  /** What is kept, of every folder. */
  kept: () => Kept[]
}

const module = (word: string) => `
  const {rare} = require('./two.cjs')
  const often = async () => '${word} ' + typeof require('node:os').cpus
  module.exports = async (kind) => (kind === 'rare' ? rare() : await often())`

const test = base.extend<Fixtures>({
  folder: async ({onTestFinished}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'vendorctl-code-'))
    onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
    for (const name of ['cache', 'modules']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'modules', 'two.cjs'), "exports.rare = () => 'rare ' + __filename.slice(-7)")
    await use(folder)
  },
  write: async ({folder}, use) => {
    await use((word, seconds = 1_000) => {
      const path = join(folder, 'modules', 'one.cjs')
      writeFileSync(path, module(word))
      utimesSync(path, seconds, seconds)
    })
  },
  run: async ({folder}, use) => {
    await use((kind = 'usual', {trouble = '', options = []} = {}) => {
      const words = [driver, join(folder, 'cache'), join(folder, 'modules'), kind, trouble]
      const {stdout, stderr} = spawnSync(process.execPath, [...options, ...words], {encoding: 'utf8'})
      expect(stderr).toBe('')
      return stdout
    })
  },
  kept: async ({folder}, use) => {
    await use(() => {
      const names = readdirSync(join(folder, 'cache'), {recursive: true, encoding: 'utf8'}).sort()
      return names.filter((name) => name.endsWith('one.cjs')).map((name) => toKept(join(folder, 'cache', name)))
    })
  },
})

function toKept(path: string): Kept {
  const [head = ''] = readFileSync(path, 'latin1').split('\n', 1)
  const {size: bytes, ino: inode} = statSync(path)
  return {path, bytes, inode, kinds: (JSON.parse(head) as {kinds: string[]}).kinds}
}

test('what ran is kept once for each kind of run, and nothing that was there is lost', ({write, run, kept}) => {
  write('one')
  const texts = [run(), run()]
  const [first] = kept()
  texts.push(run('rare'), run('rare'), run())
  const [last] = kept()

  expect(texts).toEqual(['one function', 'one function', 'rare two.cjs', 'rare two.cjs', 'one function'])
  expect(first?.kinds).toEqual(['usual 0 2'])
  expect(last?.kinds).toEqual(['usual 0 2', 'rare 0 2'])
  expect(last?.bytes).toBeGreaterThanOrEqual(Number(first?.bytes))
})

test('a kind that is known is not kept again', ({write, run, kept}) => {
  write('one')
  run()
  const before = kept()
  run()

  expect(kept()).toEqual(before)
  expect(before).toHaveLength(1)
})

test('functions that were called are kept, those that were not are not', ({write, run, kept}) => {
  write('one')
  run('rare')
  const [without] = kept()
  run()
  const [complete] = kept()

  expect(complete?.bytes).toBeGreaterThan(Number(without?.bytes) + 100)
})

test('a module that was changed is read anew, also one as long as before', ({write, run, kept}) => {
  write('one')
  run()
  write('two', 2_000)

  expect(run()).toBe('two function')
  expect(run()).toBe('two function')
  expect(kept().map(({kinds}) => kinds)).toEqual([['usual 0 2']])
})

test.for([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9)],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('more')])],
  ['empty', () => Buffer.alloc(0)],
  ['other text', () => Buffer.from('{"kinds":3}\nnothing')],
  [
    'not what V8 wrote',
    (bytes: Buffer) =>
      Buffer.concat([bytes.subarray(0, bytes.indexOf(10) + 1), Buffer.alloc(bytes.length - bytes.indexOf(10) - 1)]),
  ],
] as const)('what is kept and is %s is not believed, and is replaced', ([, damage], {write, run, kept}) => {
  write('one')
  run()
  const [{path = '', bytes = 0} = {}] = kept()
  writeFileSync(path, damage(readFileSync(path)))

  expect(run()).toBe('one function')
  expect(kept()).toMatchObject([{bytes, kinds: ['usual 0 2']}])
})

test('runs with other options of V8 keep their own', ({write, run, kept}) => {
  write('one')
  run()

  expect(run('usual', {options: ['--no-opt']})).toBe('one function')
  expect(kept()).toHaveLength(2)
})

test.for(['flags', 'lasts'])(
  'nothing is kept of a run that is no measure of a start: %s',
  (trouble, {write, run, kept}) => {
    write('one')

    expect(run('usual', {trouble})).toBe('one function')
    expect(kept()).toEqual([])
  },
)

test('only the user can read it', ({folder, write, run, kept}) => {
  write('one')
  run()
  const [name = ''] = readdirSync(join(folder, 'cache'))

  expect(statSync(join(folder, 'cache', name)).mode & 0o777).toBe(0o700)
  expect(kept().map(({path}) => statSync(path).mode & 0o777)).toEqual([0o600])
})

test('where nothing can be kept, all runs as usual', ({folder, write, run}) => {
  write('one')
  rmSync(join(folder, 'cache'), {recursive: true})
  writeFileSync(join(folder, 'cache'), '')
  chmodSync(join(folder, 'cache'), 0o400)

  expect([run(), run()]).toEqual(['one function', 'one function'])
})

test('what other builds kept is removed once nothing was added to it for a month', ({folder, write, run, kept}) => {
  write('one')
  for (const [name, days] of [
    ['program-old', 31],
    ['program-new', 29],
    ['v24', 99],
  ] as const) {
    mkdirSync(join(folder, 'cache', name))
    const seconds = Date.now() / 1000 - days * 86_400
    utimesSync(join(folder, 'cache', name), seconds, seconds)
  }

  run()

  const names = readdirSync(join(folder, 'cache'))
  expect(names.filter((name) => !name.startsWith('program-mark'))).toEqual(['program-new', 'v24'])
  expect(kept()).toHaveLength(1)
})

test('no module of the program imports while it runs, which a module from the cache cannot', () => {
  const folder = fileURLToPath(new URL('../../dist/chunks', import.meta.url))
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const imports = files.flatMap((text) => text.match(/\bimport\([^)]*\)/g) ?? [])

  expect(imports).toEqual(['import(`kerberos`)'])
})
