import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {changedSince, findObstacles} from '../../bin/tools/release/readiness.js'
import {repositoryFacts} from '../../bin/tools/release/repository.js'

const ready = {
  changedFiles: [],
  branch: 'main',
  tags: ['v0.9.0'],
  version: '1.0.0',
  lockVersion: '1.0.0',
  manifestVersion: '1.0.0',
  changelog: '# Changelog\n\n## 1.0.0\n\nFirst.\n\n## 0.9.0\n',
  notes: [],
  repository: {url: 'x'},
}

test('a clean main whose versions agree is ready', () => {
  expect(findObstacles(ready)).toEqual([])
})

test('a tag of the version is ready, on whatever branch it was checked out', () => {
  const tagged = {...ready, branch: 'HEAD', tag: 'v1.0.0', tags: ['v1.0.0']}

  expect(findObstacles(tagged)).toEqual([])
})

test.each([
  [{changedFiles: ['src/index.ts', 'notes']}, 'The tree is not clean: src/index.ts, notes.'],
  [{branch: 'try'}, 'Releases are made from main; this is try.'],
  [{notes: ['odd-cats.md']}, 'Notes are not in the changelog yet; run npm run bump: odd-cats.md.'],
  [{changelog: '## 0.9.0'}, 'CHANGELOG.md begins with 0.9.0, package.json says 1.0.0.'],
  [{lockVersion: '0.9.0'}, 'package-lock.json says 0.9.0, package.json 1.0.0.'],
  [{manifestVersion: '0.9.0'}, 'oclif.manifest.json says 0.9.0, package.json 1.0.0.'],
  [{tags: ['v1.0.0']}, 'Version 1.0.0 has its tag already.'],
  [{tag: 'v1.0.1'}, 'The tag is v1.0.1, package.json says 1.0.0.'],
  [{repository: undefined}, 'GITHUB_SERVER_URL and GITHUB_REPOSITORY name no repository, which provenance needs.'],
])('%o is not ready', (change, obstacle) => {
  expect(findObstacles({...ready, ...change})).toEqual([obstacle])
})

test('what packing changed is found by its name, also when as many files are mended by it', () => {
  const before = {changedFiles: ['notes', 'a.ts']}
  const after = {changedFiles: ['a.ts', 'oclif.manifest.json']}

  expect(changedSince(before, after)).toEqual(['oclif.manifest.json'])
})

test('the repository of a package is the one whose workflow releases it', () => {
  expect(repositoryFacts({GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'ann/tool'})).toEqual({
    package: {
      repository: {type: 'git', url: 'git+https://git.example.com/ann/tool.git'},
      homepage: 'https://git.example.com/ann/tool',
      bugs: {url: 'https://git.example.com/ann/tool/issues'},
    },
    maintainer: 'ann@users.noreply.git.example.com',
  })
})

test.each([
  {},
  {GITHUB_SERVER_URL: 'https://git.example.com'},
  {GITHUB_REPOSITORY: 'ann/tool'},
  {GITHUB_SERVER_URL: 'http://git.example.com', GITHUB_REPOSITORY: 'ann/tool'},
  {GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'ann/tool/more'},
])('%o names no repository', (variables) => {
  expect(repositoryFacts(variables)).toBeUndefined()
})

test("the checkout names none, since it may be anybody's", () => {
  const facts = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

  expect(['repository', 'homepage', 'bugs'].filter((name) => name in facts)).toEqual([])
})
