/**
 * Breaks the code in many small ways and tells which breaks no test notices: npm run mutate -- PART… [FILE…] [--sample N] [--seed S]
 * Files (or patterns of them) narrow the parts. What was found is kept in .mutate, and only what changed is tried again.
 * --sample N breaks only N lines of each part, which --seed S chooses: the same ones for the same seed.
 */
import {createHash} from 'node:crypto'
import {globSync, readFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {Stryker} from '@stryker-mutator/core'

/** The files of a part, and the tests that alone must notice whatever breaks in them. */
const parts = {
  values: {mutate: ['src/values/**/*.ts'], tests: ['test/values/**/*.test.ts']},
  validate: {mutate: ['src/validate/**/*.ts'], tests: ['test/{validate,values}/**/*.test.ts']},
  client: {mutate: ['src/{client,http}/**/*.ts'], tests: ['test/{client,http,library}/**/*.test.ts']},
  quota: {mutate: ['src/quota/**/*.ts'], tests: ['test/quota/**/*.test.ts']},
  runs: {mutate: ['src/runs/**/*.ts'], tests: ['test/runs/**/*.test.ts']},
  reports: {mutate: ['src/reports/**/*.ts'], tests: ['test/reports/**/*.test.ts']},
  mirror: {mutate: ['src/mirror/**/*.ts'], tests: ['test/mirror/**/*.test.ts']},
  core: {mutate: ['src/core/**/*.ts'], tests: ['test/core/**/*.test.ts']},
  quoting: {
    mutate: [
      'src/core/command-line.ts',
      'src/formats/read/read-csv.ts',
      'src/formats/write/{write-csv,write-cells}.ts',
    ],
    tests: [
      'test/core/command-line.test.ts',
      'test/formats/**/{csv-torture,read-csv,safe-text,write-cells,write-csv,write-markdown}.test.ts',
    ],
    excluded: [],
  },
  letters: {
    mutate: ['src/formats/safe-text.ts'],
    tests: ['test/formats/**/{safe-text,write-markdown}.test.ts'],
    excluded: ['Regex'], // what it makes of the properties of strings is no expression, and fails in every test
  },
}

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {sample: {type: 'string'}, seed: {type: 'string', default: '1'}},
})
const names = positionals.filter((word) => !word.includes('/'))
const files = positionals.filter((word) => word.includes('/'))
const unknown = names.filter((name) => !Object.hasOwn(parts, name))

if (names.length === 0 || unknown.length > 0) {
  console.error(`${unknown.map((name) => `No part: ${name}\n`).join('')}Parts: ${Object.keys(parts).join(', ')}`)
  process.exitCode = 2
} else {
  for (const name of names) await mutate(name, parts[name])
}

async function mutate(name, {mutate, tests, excluded = ['StringLiteral']}) {
  process.env.MUTATE_TESTS = tests.join(';') // Stryker's own testFiles would not activate what runs while a module loads
  const stryker = new Stryker({
    mutate: chooseLines(files.length > 0 ? files : mutate),
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: {configFile: 'test/long/mutate/vitest.config.ts', related: false, pool: 'forks'},
    tsconfigFile: 'none', // read with TypeScript's own library, which TypeScript 7 has not
    mutator: {excludedMutations: excluded},
    concurrency: 1,
    ignorePatterns: ['dist', 'dist-standalone', '.mutate'],
    tempDirName: `.mutate/${name}`,
    incremental: true,
    incrementalFile: `.mutate/${name}.json`,
    reporters: ['clear-text', 'html', 'progress-append-only'],
    timeoutMS: 20_000,
    htmlReporter: {fileName: `.mutate/${name}.html`},
    clearTextReporter: {allowColor: false, allowEmojis: false, logTests: false, reportTests: false},
    disableTypeChecks: false,
    allowConsoleColors: false,
  })
  await stryker.runMutationTest()
}

/** Every line of the files, or a sample of those that hold code, as Stryker names them: `file.ts:7-7`. */
function chooseLines(patterns) {
  if (values.sample === undefined) return patterns
  const lines = globSync(patterns).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /^\s*($|\/?\*|\/\/|import\b|\}|export (type )?\{)/.test(line) ? [] : [`${file}:${at + 1}-${at + 1}`],
      ),
  )
  const order = (line) => createHash('sha256').update(`${values.seed} ${line}`).digest('hex')
  return lines.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, Number(values.sample))
}
