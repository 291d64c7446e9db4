import {chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect} from 'vitest'
import {type Run, test} from '../support/binary.js'

const watcher = fileURLToPath(new URL('../support/loaded.cjs', import.meta.url))

type Loaded = {names: string[]; builtins: string[]}

/** What a run loads. */
async function loadedBy(run: Run, words: readonly string[]): Promise<Loaded> {
  const {stderr} = await run(words, {environment: {NODE_OPTIONS: `--require=${JSON.stringify(watcher)}`}})
  return JSON.parse(/^loaded (.*)$/m.exec(stderr)?.[1] ?? '') as Loaded
}

/** Names of what lies in a folder and in all folders below it, but for empty files. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
  return entries.map(({name, parentPath}) => join(parentPath, name)).filter((path) => statSync(path).size > 0)
}

describe.concurrent('a start loads', () => {
  test('for the version nothing but the words it knows', async ({alone}) => {
    const {names} = await loadedBy(alone, ['--version'])

    expect(names.sort()).toEqual(['program', 'rolldown-runtime', 'start'])
  })

  test('for the first page of help the summaries of commands alone', async ({alone}) => {
    const {names} = await loadedBy(alone, ['--help'])

    expect(names).toContain('_virtual_overview')
    expect(names).not.toContain('_virtual_facts')
  })

  test('for the version no table of the contract', () => {
    const start = fileURLToPath(new URL('../../dist/chunks/start.cjs', import.meta.url))

    expect(statSync(start).size).toBeLessThan(20_000)
  })

  test.for([[], ['--help'], ['sites', 'create', '--help']])('for help of "%s" no command', async (words, {alone}) => {
    const {names} = await loadedBy(alone, words)

    expect(names).not.toContain('base')
    expect(names.length).toBeLessThan(10)
  })

  test('for a Tab in a shell facts and values, and nothing that could ask the service', async ({alone}) => {
    const words = await loadedBy(alone, ['__complete', 'zsh', 'ma'])
    const columns = await loadedBy(alone, ['__complete', 'zsh', 'machines', 'list', '--columns', ''])
    const script = await loadedBy(alone, ['autocomplete', 'script', 'bash'])

    const base = ['completion', 'program', 'rolldown-runtime', 'start']
    expect(script.names.sort()).toEqual(base)
    expect(words.names.sort()).toEqual(['_virtual_facts', ...base])
    expect(columns.names.sort()).toEqual(['_virtual_choices', '_virtual_facts', ...base])
  })

  test.for([
    'machines list --nix',
    'sites create --set-size many',
    'reports transactions --start',
    'alerts clear --nix',
  ])('for the usage error of "%s" the flags, and none of the work', async (line, {alone}) => {
    const {names, builtins} = await loadedBy(alone, line.split(' '))

    expect(names).toContain('base')
    expect(names.length).toBeLessThan(10)
    for (const name of ['client', 'writes', 'reports', 'got']) expect(names).not.toContain(name)
    for (const name of ['crypto', 'sqlite', 'http', 'https', 'tls', 'zlib']) expect(builtins).not.toContain(name)
  })

  test('for a read neither bulk writes, nor the sandbox, nor HTTP that the service lacks', async ({run}) => {
    const {names, builtins} = await loadedBy(run, ['machines', 'list', '-o', 'csv'])

    expect(names).toContain('client')
    for (const name of ['writes', 'reports', 'server', 'ora', 'write-xlsx', 'write-parquet', 'postgres']) {
      expect(names).not.toContain(name)
    }

    for (const name of ['http2', 'zlib', 'child_process']) expect(builtins).not.toContain(name)
  })

  test('for a write that sends nothing no HTTP', async ({run, home}) => {
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, 'id,name\n1001,Depot\n')

    const {names, builtins} = await loadedBy(run, ['sites', 'update', '-f', file, '--replace', '--dry-run'])

    expect(names).toContain('writes')
    for (const name of ['http', 'https', 'tls', 'sqlite', 'zlib']) expect(builtins).not.toContain(name)
  })
})

describe.concurrent('compiled code', () => {
  const own = {NODE_COMPILE_CACHE: undefined}

  test('is kept in a folder of the user alone', async ({alone, home}) => {
    const temporary = join(home.path, 'temporary')
    mkdirSync(temporary)
    const places = {XDG_CACHE_HOME: undefined, TMPDIR: temporary}
    await alone(['profiles', 'list'], {environment: {...own, ...places}})

    const folder = join(home.path, '.cache', 'vendorctl', 'compiled')
    const [version = ''] = readdirSync(folder)
    expect(readdirSync(join(folder, version)).length).toBeGreaterThan(3)
    expect(statSync(join(folder, version)).mode & 0o022).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  })

  const replaceByLink = (path: string) => {
    renameSync(path, `${path}-moved`)
    symlinkSync(`${path}-moved`, path)
  }
  const replaceByFile = (path: string) => {
    rmSync(path, {recursive: true})
    writeFileSync(path, '')
  }

  test.for([
    ['a folder in which others may write', (path: string) => chmodSync(path, 0o777)],
    ['a link to another folder', replaceByLink],
    ['a file', replaceByFile],
  ] as const)('is not taken from %s', async ([, change], {alone, home}) => {
    const environment = {...own, XDG_CACHE_HOME: join(home.path, 'cache')}
    const folder = join(home.path, 'cache', 'vendorctl', 'compiled')
    mkdirSync(folder, {recursive: true, mode: 0o700})
    change(folder)

    const ran = await alone(['profiles', 'list'], {environment})

    expect(ran.exitCode).toBe(0)
    expect(filesBelow(join(home.path, 'cache'))).toEqual([])
  })

  test.for([
    [0o775, false],
    [0o777, false],
    [0o1777, true],
    [0o755, true],
  ] as const)('is kept in a folder of mode %o only where it is safe: %s', async ([mode, isKept], {alone, home}) => {
    const cache = join(home.path, 'cache')
    mkdirSync(cache)
    chmodSync(cache, mode)

    await alone(['profiles', 'list'], {environment: {XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined}})

    expect(filesBelow(cache).length > 0).toBe(isKept)
  })

  test('that cannot be kept stops nothing', async ({alone, home}) => {
    writeFileSync(join(home.path, 'file'), '')
    for (const XDG_CACHE_HOME of [join(home.path, 'file', 'below'), '/proc/none', 'relative']) {
      const ran = await alone(['--version'], {environment: {...own, XDG_CACHE_HOME}})

      expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    }

    expect(await alone(['--version'], {environment: {...own, HOME: undefined}})).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    expect(readdirSync(home.path)).not.toContain('relative')
  })
})

test.concurrent('a command that waits for what can never come is a failure, not a success', async ({alone}) => {
  const silent = fileURLToPath(new URL('../support/silent-input.cjs', import.meta.url))
  const environment = {
    NODE_OPTIONS: `--require=${JSON.stringify(silent)}`,
    VENDORCTL_BASE_URL: 'http://127.0.0.1:9',
    VENDORCTL_API_KEY: 'key-of-nobody',
  }

  const ran = await alone(['sites', 'create', '-f', '-', '--yes', '--json'], {environment})

  expect(ran.exitCode).toBe(1)
  expect(ran.stderr).toContain('before the command had finished')
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ok: false,
    errors: [{code: 'ENDED_EARLY', exit: 1, changed: 'unknown'}],
  })
})
