/**
 * Breaks the code in many small ways and tells which breaks no test notices: npm run mutate -- PART… [FILE…] [--sample N] [--seed S]
 * Files (or patterns of them) narrow the parts. What was found is kept in .mutate, and only what changed is tried again.
 * --sample N tries only N breaks of each part, which --seed S chooses: the same ones for the same seed, all of them anew.
 */
import {createHash} from 'node:crypto'
import {globSync, readFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {Stryker} from '@stryker-mutator/core'
import {equivalent} from './equivalent.js'

/**
 * The files of a part, and the tests that alone must notice whatever breaks in them. `isBuilt`: some of them run the
 * built program, in their own process, so that a change of the code in memory reaches it.
 */
const parts = {
  values: {
    mutate: ['src/values/**/*.ts'],
    tests: ['test/{values,validate}/**/*.test.ts', 'test/settings/database.test.ts'],
  },
  validate: {mutate: ['src/validate/**/*.ts'], tests: ['test/{validate,values,runs/check}/**/*.test.ts']},
  client: {mutate: ['src/{client,http}/**/*.ts'], tests: ['test/{client,http,library}/**/*.test.ts']},
  quota: {
    mutate: ['src/quota/**/*.ts'],
    tests: ['test/quota/**/*.test.ts', 'test/client/{ledger,own-limit}.test.ts', 'test/cli/info/show-quota.test.ts'],
  },
  runs: {
    mutate: ['src/runs/**/*.ts'],
    tests: [
      'test/{runs/**/*,cli/runs/*,cli/write/*,formats/read/choose-sheet}.test.ts',
      'test/e2e/{adjust,adjust-again,adjust-doubt,adjust-undo,apply,approval,audit,chosen,deletions}.test.ts',
      'test/e2e/{doubt-first,dry-run,given-again,given-twice,going-on,lint,machine-settings,names,plans,provision}.test.ts',
      'test/e2e/{role-rights,run-page,runs,selections-update,templates-apply,undo,updates,workbooks}.test.ts',
    ],
    isBuilt: true,
  },
  again: {
    mutate: ['src/runs/earlier-runs/*.ts', 'src/runs/write/resume.ts'],
    tests: ['test/runs/{earlier-runs,resume}/*.test.ts'],
  },
  reports: {
    mutate: ['src/reports/**/*.ts'],
    tests: [
      'test/{activities,reports,cli/reports,cli/runs}/**/*.test.ts',
      'test/e2e/{activities,alerts-since,cron,exports,named-exports,selection,shared-marks}.test.ts',
    ],
    isBuilt: true,
  },
  mirror: {
    mutate: ['src/mirror/**/*.ts'],
    tests: ['test/mirror/{sync,query,load-table,reading-progress}.test.ts', 'test/e2e/{sql,sql-postgres,sync}.test.ts'],
    isBuilt: true,
  },
  core: {
    mutate: ['src/core/**/*.ts'],
    tests: [
      ...['test/core/**/*.test.ts', 'test/runs/journal/*.test.ts', 'test/reports/register/*.test.ts'],
      'test/{mirror/query,quota/ledger-file,formats/write/write-sqlite}.test.ts',
    ],
  },
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

/** Lines before and after a place that belong to it. */
const around = 6

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {sample: {type: 'string'}, seed: {type: 'string', default: '1'}},
})
const {sample, seed} = values
Object.assign(process.env, {MUTATE_SAMPLE: sample, MUTATE_SEED: seed})
const names = positionals.filter((word) => !word.includes('/'))
const files = positionals.filter((word) => word.includes('/'))
const unknown = names.filter((name) => !Object.hasOwn(parts, name))

if (names.length === 0 || unknown.length > 0) {
  console.error(`${unknown.map((name) => `No part: ${name}\n`).join('')}Parts: ${Object.keys(parts).join(', ')}`)
  process.exitCode = 2
} else {
  for (const name of names) await mutate(name, parts[name])
}

async function mutate(name, {mutate, tests, isBuilt = false, excluded = ['StringLiteral']}) {
  process.env.MUTATE_TESTS = tests.join(';') // Stryker's own testFiles would not activate what runs while a module loads
  const stryker = new Stryker({
    mutate: chooseLines(files.length > 0 ? files : mutate),
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner'), import.meta.resolve('./sample.js')],
    checkers: sample === undefined ? [] : ['sample'],
    vitest: {configFile: 'test/long/mutate/vitest.config.ts', related: false, pool: 'forks'},
    tsconfigFile: 'none', // read with TypeScript's own library, which TypeScript 7 has not
    mutator: {excludedMutations: excluded},
    concurrency: 1,
    ignorePatterns: ['dist', 'dist-standalone', '.mutate'],
    tempDirName: `.mutate/${name}`,
    incremental: sample === undefined, // the sample is of the breaks that are tried, and must not depend on those known
    incrementalFile: `.mutate/${name}.json`,
    reporters: ['html', 'progress-append-only'],
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 60,
    htmlReporter: {fileName: `.mutate/${name}.html`},
    disableTypeChecks: isBuilt && 'src/**/*.ts',
    ...(isBuilt && {buildCommand: 'node test/long/mutate/build.js'}),
    allowConsoleColors: false,
  })
  tell(name, await stryker.runMutationTest())
}

/** Every line of the files, or some lines around as many places as the sample has breaks: the rest runs as it is. */
function chooseLines(patterns) {
  if (sample === undefined) return patterns
  const places = globSync(patterns).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (/^\s*($|\/?\*|\/\/|import\b|\}|export (type )?\{)/.test(line) ? [] : [[file, at + 1]])),
  )
  const order = (place) => createHash('sha256').update(`${seed} ${place}`).digest('hex')
  const chosen = places.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, Number(sample))
  return chosen.map(([file, at]) => `${file}:${Math.max(1, at - around)}-${at + around}`)
}

/** What survived and is not known to change nothing, and the share of all others that was killed. */
function tell(name, results) {
  const alive = results.filter(({status}) => status === 'Survived' || status === 'NoCoverage').map(describe)
  const killed = results.filter(({status}) => status === 'Killed' || status === 'Timeout').length
  const [same, survived] = [alive.filter(({known}) => known), alive.filter(({known}) => !known)]
  for (const {place, line, replacement, known} of [...same, ...survived])
    console.log(`${known ? `equivalent, ${known[3]}` : 'survived'}: ${place}\n  ${line}\n  → ${replacement}`)
  const score = Math.floor((100 * killed) / (killed + survived.length))
  console.log(`${name}: ${killed} killed, ${survived.length} survived, ${same.length} equivalent: ${score} %`)
}

function describe({fileName, location, replacement, status}) {
  const [file, at] = [fileName.slice(fileName.lastIndexOf('/src/') + 1), location.start.line]
  const line = readFileSync(file, 'utf8').split('\n')[at - 1]?.trim()
  const known = equivalent.find((row) => row[0] === file && row[1] === line && row[2] === replacement)
  return {
    place: `${file}:${at}:${location.start.column}${status === 'NoCoverage' ? ', no test runs it' : ''}`,
    line,
    replacement,
    known,
  }
}
