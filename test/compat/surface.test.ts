import {readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {brotliDecompressSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {runProgram} from '../support/run-binary.js'
import {findBreaks, parseSurface, printSurface, toSurface} from './breaks.js'
import {readSurface} from './surface.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Released versions, the newest last. */
const versions = readdirSync(import.meta.dirname)
  .filter((name) => /^\d/.test(name))
  .sort((one, other) => one.localeCompare(other, 'en', {numeric: true}))
const newest = versions.at(-1) ?? ''

const advice = `
Scripts, jobs and pipelines rely on this; see "vendorctl help compatibility". Keep it as each line says. If it must go,
add a change file that says what users do instead: .changeset/NAME.md with "vendorctl": major (npm run changeset).`

/** Nothing is agreed to but by the words themselves. */
const runAlone: Parameters<typeof readSurface>[1] = (words, {environment, cwd}) =>
  runProgram(words, {environment: {...environment, VENDORCTL_YES: undefined}, cwd})

const {version} = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {version: string}
const majorOf = (text: string) => Number.parseInt(text, 10)

/** Change files that announce a major version. */
function findMajors(): string[] {
  const folder = `${root}.changeset/`
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return names.filter((name) => /^---\n"vendorctl": major\n---/.test(readFileSync(folder + name, 'utf8')))
}

test(`all that ${newest} promised is kept, or a change file announces a major version`, {
  timeout: 1_200_000,
}, async () => {
  const recorded = parseSurface(
    brotliDecompressSync(readFileSync(`${import.meta.dirname}/${newest}/surface.txt.br`)).toString(),
  )
  expect(recorded.size).toBeGreaterThan(500)

  const breaks = findBreaks(recorded, await readSurface(root, runAlone))

  const isAnnounced = findMajors().length > 0 || majorOf(version) > majorOf(newest)
  expect(isAnnounced ? [] : breaks, `Since ${newest}:\n${breaks.join('\n')}\n${advice}\n`).toEqual([])
})

test.for([
  ['command', ['--a', '--b='], ['--b=', '--c', '--a'], []],
  ['command', ['--a', '--b='], ['--b=…'], ['--a is gone', '--b= is gone']],
  ['needs', ['a'], ['a', 'b'], ['b must be given now']],
  ['needs', ['a'], [], []],
  ['columns', ['a', 'b'], ['a', 'b', 'c'], []],
  ['columns', ['a', 'b'], ['a', 'c', 'b'], ['b is gone or changed; keep names and order']],
  ['exit', ['5'], ['6'], ['5 is gone']],
  ['output', ['.a', '.b:number'], ['.a:string', '.b'], []],
  ['output', ['.a:string', '.b:number'], ['.a:number', '.c:number'], ['.a:string is gone', '.b:number is gone']],
] as const)('of %s %j nothing else is lost in %j', ([kind, before, now, expected]) => {
  const [old, today] = [before, now].map((items) => parseSurface(printSurface(toSurface([[kind, 'x', items]]))))

  const breaks = findBreaks(old ?? new Map(), today ?? new Map())

  expect(breaks).toEqual(expected.map((text) => expect.stringContaining(`${kind} x: ${text}`)))
})

test('a command that is gone is one line', () => {
  const breaks = findBreaks(toSurface([['command', 'runs export', ['<id>', '--json', '-q', '--quiet']]]), new Map())

  expect(breaks).toEqual([expect.stringContaining('command runs export: all of it is gone')])
})
