import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {effects} from './support/architecture-rules.js'
import {readSourceFiles, type SourceFile} from './support/source-files.js'

const sources = readSourceFiles('src')
const page = readFileSync(new URL('../.github/SECURITY.md', import.meta.url), 'utf8')

/** Files, or folders that end with a slash, of the tables below each heading of the third level. */
const named = new Map(
  page.split(/\n### /).flatMap((section) => {
    const [heading = '', ...lines] = section.split(/\n(?=## )/)[0]?.split('\n') ?? []
    const rows = lines.filter((line) => line.startsWith('| `src/'))
    const paths = rows.flatMap((row) => row.split(' | ')[0]?.match(/src\/[\w/.-]+/g) ?? [])
    return paths.length === 0 ? [] : [[heading, paths] as const]
  }),
)

const has = (path: string) => (file: string) => (path.endsWith('/') ? file.startsWith(path) : file === path)

function touches({imports, text}: SourceFile, {modules, names}: (typeof effects)[string]): boolean {
  const from = imports.filter(({isType}) => !isType).map((one) => one.from)
  const hidden = [...text.matchAll(/getBuiltinModule\('([^']+)'\)/g)].map(([, module = '']) => module)
  if ([...from, ...hidden].some((module) => modules.includes(module))) return true
  const clauses = [...text.matchAll(/^import (\{[^}]*\}|\* as \w+) from 'node:fs(?:\/promises)?'/gm)]
  return clauses.some(([, clause = '']) => names !== undefined && (clause.startsWith('*') || names.test(clause)))
}

describe('the page about security', () => {
  test('has the headings of the rules', () => {
    expect([...named.keys()]).toEqual(Object.keys(effects))
  })

  test.each(Object.entries(effects))('names every module: %s', (heading, effect) => {
    const found = sources.filter((source) => touches(source, effect)).map(({path}) => path)
    const paths = named.get(heading) ?? []

    expect(found.filter((file) => !paths.some((path) => has(path)(file)))).toEqual([])
    expect(paths.filter((path) => !found.some(has(path)))).toEqual([])
  })
})
