/**
 * Breaks the code in many small ways and tells which breaks no test notices: npm run mutate -- PART… [FILE…]
 * Files (or patterns of them) narrow the parts. What was found is kept in .mutate, and only what changed is tried again.
 */
import {Stryker} from '@stryker-mutator/core'

/** The files of a part, and the tests that alone must notice whatever breaks in them. */
const parts = {
  values: {
    mutate: ['src/values/*.ts'],
    tests: ['test/values/*.test.ts'],
  },
  validate: {
    mutate: ['src/validate/*.ts'],
    tests: ['test/validate/*.test.ts', 'test/values/date-time.test.ts'],
  },
  client: {
    mutate: ['src/{client,http,quota}/**/*.ts'],
    tests: ['test/{client,http,quota}/**/*.test.ts', 'test/library/*.test.ts'],
  },
  fates: {
    mutate: [
      'src/client/fate.ts',
      'src/runs/{report,send}/{exit-of-run,fates,fold-results,pointers,refused-set,set-fates}.ts',
    ],
    tests: [
      'test/client/{answer,fate}.test.ts',
      'test/runs/**/{exit-of-run,fold-results,going-on,on-error,pointers}.test.ts',
    ],
    excluded: [],
  },
  merging: {
    mutate: ['src/runs/plan/{compare,cut-sets,diff,merge,merge-plan}.ts'],
    tests: ['test/runs/plan/{compare,cut-sets,merge}.test.ts'],
    excluded: [],
  },
  permissions: {
    mutate: ['src/core/private-{file,folder,state}.ts'],
    tests: ['test/core/private-{file,folder,state}.test.ts'],
    excluded: [],
  },
  quoting: {
    mutate: ['src/core/command-line.ts', 'src/formats/{read,write}/{read-csv,write-cells,write-csv,write-markdown}.ts'],
    tests: [
      'test/core/command-line.test.ts',
      'test/formats/**/{csv-reference,csv-torture,read-csv,safe-text,write-cells,write-csv,write-markdown}.test.ts',
    ],
    excluded: [],
  },
  letters: {
    mutate: ['src/formats/safe-text.ts'],
    tests: ['test/formats/**/{safe-text,write-markdown}.test.ts'],
    excluded: ['Regex'], // what it makes of the properties of strings is no expression, and fails in every test
  },
}

const names = process.argv.slice(2).filter((word) => !word.includes('/'))
const files = process.argv.slice(2).filter((word) => word.includes('/'))
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
    mutate: files.length > 0 ? files : mutate,
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
