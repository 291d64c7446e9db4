import {expect, test} from 'vitest'
import {readSourceFiles, type SourceFile} from '../../support/source-files.js'

const sources = new Map(readSourceFiles('src').map((source) => [source.path, source]))

test('nothing but Node and modules of completion is loaded to answer a shell', () => {
  const reached = reachedFrom('src/cli/completion/answer-completion.ts')
  const packages = reached.flatMap(({imports}) => imports.filter(({file, isType}) => file === undefined && !isType))

  expect([...new Set(packages.map(({from}) => from))].sort()).toEqual(['node:fs', 'node:os', 'node:path'])
  expect(reached).toHaveLength(10) // less where the walk does not reach what is loaded
  expect(reached.map(({path}) => path).filter((path) => !path.startsWith('src/cli/completion/'))).toEqual([
    'src/core/folder-paths.ts',
  ])
})

function reachedFrom(path: string, seen = new Set<string>()): SourceFile[] {
  const source = sources.get(path)
  if (!source || seen.has(path)) return []
  seen.add(path)
  const next = source.imports.filter(({isType}) => !isType)
  return [source, ...next.flatMap(({file}) => (file === undefined ? [] : reachedFrom(file, seen)))]
}
