import {describe, expect, test} from 'vitest'
import {
  findBusyForms,
  findCrossedBorders,
  findCycles,
  findEarlyWork,
  findForbiddenCalls,
  findHeavyPaths,
  findNamedOperations,
  findRepeatedNames,
  findRowsInFormats,
  findSmallParts,
  findTwoWayFolders,
  findWrongDirections,
  isNotExcused,
  limitOf,
  packageOf,
} from './support/architecture-checks.js'
import {anyType, deviations, fullest, smallFiles, suppression} from './support/architecture-rules.js'
import {readSourceFiles, toSourceFile} from './support/source-files.js'

const sources = readSourceFiles('src')
const commands = sources.filter(({path}) => path.startsWith('src/commands/'))
const tools = readSourceFiles('bin')
const tests = readSourceFiles('test').filter(({path}) => path !== 'test/architecture.test.ts')

describe('the program', () => {
  test('every part is known and imports only what it may', () => {
    expect(sources.flatMap(findWrongDirections).filter(isNotExcused)).toEqual([])
  })

  test('formats knows the shapes of the contract, not its rows', () => {
    expect(sources.flatMap(findRowsInFormats).filter(isNotExcused)).toEqual([])
  })

  test('packages stay within their borders', () => {
    expect(sources.flatMap(findCrossedBorders).filter(isNotExcused)).toEqual([])
  })

  test('what is called in one place only is called there', () => {
    expect(sources.flatMap(findForbiddenCalls)).toEqual([])
  })

  test('operations are named by the contract, commands and handlers only', () => {
    expect(sources.flatMap(findNamedOperations)).toEqual([])
  })

  test('no file imports itself by way of others', () => {
    expect(findCycles(sources)).toEqual([])
  })

  test('no two folders import each other', () => {
    expect(findTwoWayFolders(sources)).toEqual([])
  })

  test('a file of cli holds no engine: it imports few others', () => {
    expect(sources.flatMap(findBusyForms)).toEqual([])
  })

  test('no name of a file stands twice', () => {
    expect(findRepeatedNames(sources)).toEqual([])
  })

  test('a small file that one other imports is part of it, or has its reason', () => {
    expect(findSmallParts(sources)).toEqual(Object.keys(smallFiles).sort())
    expect(Object.keys(smallFiles).length).toBeLessThanOrEqual(20)
  })

  test('no command loads a heavy package before it needs it', () => {
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.flatMap(({path}) => findHeavyPaths(path, sources))).toEqual([])
  })

  test('no command loads its work before its words were understood', () => {
    expect(commands.flatMap(({path}) => findEarlyWork(path, sources))).toEqual([])
  })

  test('no folder is crowded', () => {
    const folders = Map.groupBy(sources, ({path}) => path.slice(0, path.lastIndexOf('/')))
    const counts = [...folders].map(([folder, files]) => ({folder, count: files.length}))

    expect(counts.filter(({count}) => count > fullest)).toEqual([])
  })

  test('files are short', () => {
    const long = sources.filter(({path, lines}) => lines > limitOf(path))

    expect(long.map(({path, lines}) => `${path}: ${lines} lines, at most ${limitOf(path)}`)).toEqual([])
  })

  test('every deviation is needed', () => {
    const wrong = sources.flatMap((source) => [
      ...findWrongDirections(source),
      ...findCrossedBorders(source),
      ...findRowsInFormats(source),
    ])

    expect(Object.keys(deviations).filter((deviation) => !wrong.includes(deviation))).toEqual([])
  })
})

describe('program and tests', () => {
  const all = [...sources, ...tests]

  test('relative imports name the built file and lead to a file', () => {
    const paths = new Set([...all, ...tools].map(({path}) => path))
    const wrong = all.flatMap(({path, imports}) =>
      imports
        .filter(
          ({from, file}) => file !== undefined && !(from.endsWith('.js') && paths.has(file)) && !from.endsWith('.json'),
        )
        .map(({from}) => `${path} -> ${from}`),
    )

    expect(wrong).toEqual([])
  })

  test('nothing has the type any, and nothing silences the compiler or the linter', () => {
    const wrong = all.filter(({code, text}) => anyType.test(code) || suppression.test(text))

    expect(wrong.map(({path}) => path)).toEqual([])
  })
})

describe('the tests', () => {
  test('nothing is mocked, skipped, singled out or tried again', () => {
    const wrong = tests.filter(({code}) =>
      /\bvi\.(mock|doMock|stubGlobal)\b|\b(test|it|describe)\.(skip|only|todo|fails)\b|\bretry: [1-9]/.test(code),
    )

    expect(wrong.map(({path}) => path)).toEqual([])
  })

  test('answers by hand are given in wire tests only', () => {
    const users = tests.filter(({imports}) => imports.some(({from}) => packageOf(from) === 'nock'))

    expect(users.map(({path}) => path).filter((path) => !/^test\/(wire\/|support\/vendor)/.test(path))).toEqual([])
  })

  test('client and sandbox meet over HTTP only, so the tests of one do not use the other', () => {
    const wrong = tests.filter(({path, imports}) =>
      imports.some(({file}) => path.startsWith('test/sandbox/') && file?.startsWith('src/client/')),
    )

    expect(wrong.map(({path}) => path)).toEqual([])
  })
})

describe('these rules bite', () => {
  const wrong = (path: string, text: string) => {
    const source = toSourceFile(path, text)
    return [
      ...findWrongDirections(source),
      ...findCrossedBorders(source),
      ...findRowsInFormats(source),
      ...findForbiddenCalls(source),
      ...findNamedOperations(source),
    ]
  }

  test.each([
    ['src/client/x.ts', "import {a} from '../sandbox/server.js'", 'src/client/x.ts -> src/sandbox/server.ts'],
    ['src/sandbox/x.ts', "import {\n  a,\n} from '../client/client.js'", 'src/sandbox/x.ts -> src/client/client.ts'],
    ['src/cli/x.ts', "const a = await import('../sandbox/server.js')", 'src/cli/x.ts -> src/sandbox/server.ts'],
    [
      'src/derive/x.ts',
      "export * from '../validate/check-record.js'",
      'src/derive/x.ts -> src/validate/check-record.ts',
    ],
    ['src/contract/x.ts', "import '../core/errors.js'", 'src/contract/x.ts -> src/core/errors.ts'],
    [
      'src/commands/sites/x.ts',
      "import {a} from '../../client/client.js'",
      'src/commands/sites/x.ts -> src/client/client.ts',
    ],
    [
      'src/commands/sites/x.ts',
      "import {a} from '../../sandbox/server.js'",
      'src/commands/sites/x.ts -> src/sandbox/server.ts',
    ],
    ['src/helpers/x.ts', '', 'src/helpers/x.ts: an unknown part'],
    ['src/client/x.ts', "import got from 'got'", 'src/client/x.ts -> got'],
    ['src/runs/x.ts', "import type {Got} from 'got'", 'src/runs/x.ts -> got'],
    ['src/values/x.ts', "import {readFileSync} from 'node:fs'", 'src/values/x.ts -> node:fs'],
    ['src/cli/x.ts', "import {left} from 'left-pad'", 'src/cli/x.ts -> left-pad'],
    ['src/runs/x.ts', "import {setTimeout} from 'node:timers/promises'", 'src/runs/x.ts -> node:timers/promises'],
    ['src/cli/x.ts', 'console.log(1)', 'src/cli/x.ts: console'],
    ['src/client/x.ts', 'await fetch(url)', 'src/client/x.ts: fetch'],
    ['src/runs/x.ts', 'process.exit(1)', 'src/runs/x.ts: process.exit'],
    ['src/values/x.ts', 'const at = Date.now()', 'src/values/x.ts: Date.now'],
    ['src/client/x.ts', 'setTimeout(stop, 5)', 'src/client/x.ts: timers'],
    ['src/client/x.ts', 'const random = Math.random', 'src/client/x.ts: Math.random'],
    ['src/runs/x.ts', 'mkdirSync(dirname(path), {recursive: true})', 'src/runs/x.ts: mkdir'],
    ['src/runs/x.ts', 'let last: string | undefined', 'src/runs/x.ts: state of a module'],
    ['src/cli/x.ts', 'const seen: Set<string> = new Set()', 'src/cli/x.ts: state of a module'],
    ['src/runs/x.ts', "if (id === 'sites.create') send()", 'src/runs/x.ts: sites.create'],
    ['src/cli/x.ts', 'const hint = `See contract show alerts.clear`', 'src/cli/x.ts: alerts.clear'],
    ['src/formats/x.ts', "import {operations} from '../contract/index.js'", 'src/formats/x.ts: rows of the contract'],
  ])('%s: %s', (path, text, expected) => {
    expect(wrong(path, text)).toContain(expected)
  })

  test.each([
    ['src/client/client.ts', "import {a} from '../contract/index.js'\n// console.log, fetch()\nconst b = 'Date.now()'"],
    ['src/http/transport.ts', "const {got} = await import('got')"],
    ['src/commands/sandbox/start.ts', "const {startSandbox} = await import('../../sandbox/server.js')"],
    ['src/core/clock.ts', "import {setTimeout as wait} from 'node:timers/promises'\nDate.now()"],
    ['src/cli/x.ts', 'process.exitCode = 3'],
    ['src/cli/x.ts', 'const known = new Set(names)\n  let last = 1\n'],
    ['src/runs/x.ts', "/** As 'sites.create'. */\nreports.transactions('sites create')"],
    ['src/commands/sites/x.ts', "await writeFromFile('sites.create')"],
  ])('and not too far: %s', (path, text) => {
    expect(wrong(path, text)).toEqual([])
  })

  test.each([
    'const a: any = 1',
    'const a = b as any',
    'type A = Map<string, any>',
    'const a: any[] = []',
    'type A = any',
  ])('%s', (code) => {
    expect(anyType.test(code)).toBe(true)
  })

  test('any as a word is no type', () => {
    expect(anyType.test('const any = 1')).toBe(false)
  })

  test('early work is found, by whatever way it is loaded', () => {
    const all = [
      toSourceFile(
        'src/commands/one.ts',
        "import {one} from '../cli/a/one-flags.js'\nconst a = await import('../cli/a/one.js')",
      ),
      toSourceFile('src/cli/a/one-flags.ts', "import {one} from './one.js'\nimport type {two} from './two.js'"),
      toSourceFile('src/commands/two.ts', "import {createHash} from 'node:crypto'"),
    ]

    expect(all.flatMap(({path}) => findEarlyWork(path, all)).sort()).toEqual([
      'src/cli/a/one-flags.ts -> src/cli/a/one.ts',
      'src/commands/one.ts -> src/cli/a/one-flags.ts -> src/cli/a/one.ts',
      'src/commands/two.ts -> node:crypto',
    ])
  })

  test('an engine in cli is found by its many imports', () => {
    const imports = (count: number) =>
      Array.from({length: count}, (_, place) => `import {a${place}} from './a${place}.js'`).join('\n')

    expect(findBusyForms(toSourceFile('src/cli/x.ts', imports(15)))).toEqual([])
    expect(findBusyForms(toSourceFile('src/cli/x.ts', imports(16)))).toEqual(['src/cli/x.ts: 16'])
    expect(findBusyForms(toSourceFile('src/runs/x.ts', imports(16)))).toEqual([])
  })

  test('cycles are found', () => {
    const one = toSourceFile('src/runs/one.ts', "import {two} from './two.js'")
    const two = toSourceFile('src/runs/two.ts', "import {one} from './one.js'")

    expect(findCycles([one, two])).toEqual(['src/runs/one.ts -> src/runs/two.ts -> src/runs/one.ts'])
  })
})
