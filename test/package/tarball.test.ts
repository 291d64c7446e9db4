import {homedir} from 'node:os'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {expectGolden} from '../support/golden.js'
import {type Packed, packTarball, root} from '../support/tarball.js'

const megabyte = 1024 * 1024

type PackageJson = {
  version: string
  man: string[]
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

let packed: Packed
let facts: PackageJson

beforeAll(() => {
  packed = packTarball()
  facts = JSON.parse(textOf('package.json')) as PackageJson
})

afterAll(() => packed.remove())

function textOf(name: string): string {
  return packed.files.find((file) => file.name === name)?.text ?? ''
}

const namesWhere = (isWrong: (text: string) => boolean) =>
  packed.files.filter(({text}) => isWrong(text)).map(({name}) => name)

test('holds exactly the files of the list', () => {
  const names = packed.files.map(({name}) => name.replace(/^(dist\/(chunks|commands)\/).*(\.c?js)$/, '$1*$3'))

  expectGolden('package-files.txt', `${[...new Set(names)].join('\n')}\n`)
})

test('nothing in it comes from this machine: no paths, no maps of sources, no tests', () => {
  const paths = [root, root.replaceAll('\\', '/').replace(/\/$/, '/'), `${homedir()}/`]

  expect(namesWhere((text) => paths.some((path) => text.includes(path)))).toEqual([])
  expect(namesWhere((text) => /sourceMappingURL=|"sourcesContent"/.test(text))).toEqual([])
  expect(packed.files.map(({name}) => name).filter((name) => /\.map$|\.test\.|(^|\/)test\//.test(name))).toEqual([])
})

test('installing it brings no other package, runs nothing and compiles nothing', () => {
  const names = Object.keys(facts.scripts ?? {})
  const {dependencies, optionalDependencies, peerDependencies} = facts

  expect({...dependencies, ...optionalDependencies, ...peerDependencies}).toEqual({})
  expect(names.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
  expect(packed.files.map(({name}) => name).filter((name) => /\.node$|(^|\/)binding\.gyp$/.test(name))).toEqual([])
})

test('its manual is named as a list, which alone makes npm link it where man looks', () => {
  expect(facts.man).toEqual(['./dist/vendorctl.1'])
  expect(textOf('dist/vendorctl.1')).toMatch(/^\.TH /m)
})

test('the package is small', () => {
  const bytes = packed.files.reduce((sum, file) => sum + file.bytes, 0)

  expect(bytes).toBeLessThan(8 * megabyte)
})

test('holds the manifest of its own version', () => {
  const {version} = JSON.parse(textOf('oclif.manifest.json')) as {version: string}

  expect(version).toBe(facts.version)
})
