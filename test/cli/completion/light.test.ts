import {expect, test} from 'vitest'
import {readSourceFiles, type SourceFile} from '../../support/source-files.js'

const sources = new Map(readSourceFiles('src').map((source) => [source.path, source]))

test('nothing but Node and modules of our own are loaded to answer a shell', () => {
  const reached = reachedFrom('src/cli/completion/main.ts')

  const packages = reached.flatMap(({path, imports}) =>
    imports.filter(({file, isType}) => file === undefined && !isType).map(({from}) => `${path} -> ${from}`),
  )
  expect(reached.length).toBeGreaterThan(20)
  expect(packages.filter((line) => !/ -> node:(fs|path|os|util)$/.test(line))).toEqual([])
})

test('the contract is loaded only when it is asked for', () => {
  const reached = reachedFrom('src/cli/completion/main.ts', false).map(({path}) => path)

  expect(reached.filter((path) => path.startsWith('src/') && !/^src\/cli/.test(path))).toEqual([])
  expect(reached).not.toContain('src/cli/completion/contract-values.ts')
})

function reachedFrom(path: string, withLazy = true, seen = new Set<string>()): SourceFile[] {
  const source = sources.get(path)
  if (!source || seen.has(path)) return []
  seen.add(path)
  const next = source.imports.filter(({isType, isLazy}) => !isType && (withLazy || !isLazy))
  return [source, ...next.flatMap(({file}) => (file === undefined ? [] : reachedFrom(file, withLazy, seen)))]
}
