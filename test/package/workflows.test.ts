import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {makeFolder} from '../support/folder.js'
import {root} from '../support/tarball.js'

type Step = {name?: string; uses?: string; run?: string}
type Job = {needs?: string | string[]; permissions?: Record<string, string>; uses?: string; steps?: Step[]}
type Workflow = {
  on: object
  concurrency?: {group: string}
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

const read = (name: string) => parse(readFileSync(join(root, '.github', 'workflows', name), 'utf8')) as Workflow
const release = read('release.yml')
const stepsOf = ({jobs}: Workflow) => Object.values(jobs).flatMap(({steps = []}) => steps)
const textOf = (words: string) =>
  stepsOf(release).find(({name, run}) => name?.startsWith(words) || run?.startsWith(words))?.run ?? 'false'

describe.each(['gate.yml', 'release.yml', 'weekly.yml'])('%s', (name) => {
  test('runs no text in which a name from outside was put', () => {
    const runs = stepsOf(read(name)).flatMap(({run}) => run ?? [])

    expect(runs.length).toBeGreaterThan(3)
    expect(runs.filter((run) => run.includes('${{'))).toEqual([])
  })

  test('names each action by its commit, which nobody can move', () => {
    const used = stepsOf(read(name)).flatMap(({uses}) => uses ?? [])

    expect(used.filter((each) => !/@[0-9a-f]{40}$/.test(each))).toEqual([])
  })
})

test('the weekly workflow may read only, and runs every long test and every check that needs time or the network', () => {
  const {permissions, jobs} = read('weekly.yml')
  const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {scripts: Record<string, string>}
  const long = Object.keys(scripts).filter((name) =>
    /^(test:(?!watch)|torture$|sim$|mutate$|check:(audit|reproducible))/.test(name),
  )

  expect(permissions).toEqual({contents: 'read'})
  expect(Object.values(jobs).filter((job) => job.permissions)).toEqual([])
  const runs = stepsOf(read('weekly.yml')).flatMap(({run}) => [...(run ?? '').matchAll(/npm run (\S+)/g)])
  const names = runs.map(([, name]) => name)
  expect([...new Set(names)].filter((name) => name !== 'build:standalone').sort()).toEqual(long.sort())
})

test('a long test that fails stops a release, and is never waved through', () => {
  const {jobs, on} = read('weekly.yml')
  const text = ['release.yml', 'weekly.yml'].map((name) =>
    readFileSync(join(root, '.github', 'workflows', name), 'utf8'),
  )

  expect(on).toHaveProperty('workflow_call')
  expect(release.jobs['long']).toEqual({
    needs: 'tag',
    permissions: {contents: 'read'},
    uses: './.github/workflows/weekly.yml',
  })
  expect(Object.values(jobs).filter((job) => 'if' in job)).toEqual([])
  expect(text.join('\n')).not.toMatch(/continue-on-error|\|\| true|always\(\)/)
})

test('no two runs wait for each other: a called workflow has a group of its own', () => {
  expect(read('weekly.yml').concurrency?.group).not.toContain('release')
  expect(read('weekly.yml').concurrency?.group).not.toContain('github.workflow')
})

test('only the jobs that publish and attest may prove who they are, and only the one after them may write to the repository', () => {
  const granted = Object.entries(release.jobs).map(([name, {permissions}]) => [name, permissions])

  expect(release.permissions).toEqual({})
  expect(Object.fromEntries(granted)).toEqual({
    tag: {contents: 'read'},
    package: {contents: 'read'},
    standalone: {contents: 'read'},
    long: {contents: 'read'},
    npm: {'id-token': 'write'},
    attest: {'id-token': 'write', attestations: 'write'},
    release: {contents: 'write'},
  })
})

test('nothing begins before the tag is found right', () => {
  const needs = Object.entries(release.jobs).map(([name, job]) => [name, [job.needs ?? []].flat()])

  expect(Object.fromEntries(needs)).toEqual({
    tag: [],
    package: ['tag'],
    standalone: ['tag'],
    long: ['tag'],
    npm: ['package', 'standalone', 'long'],
    attest: ['package', 'standalone', 'long'],
    release: ['npm', 'attest'],
  })
})

describe('a step', () => {
  let folder = ''

  beforeEach(() => {
    folder = makeFolder()
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'files'))
    writeFileSync(join(folder, 'files', 'vendorctl-1.2.3.tgz'), 'a package')
    writeFileSync(join(folder, 'package.json'), '{"version": "1.2.3"}')
  })
  /** Runs as a runner does; a program in place of `tool` notes its words before it answers. */
  function run(text: string, tag: string, tool = 'none', answers = '') {
    const words = join(folder, 'words')
    writeFileSync(join(folder, 'bin', tool), `#!/bin/sh\necho "$*" >> '${words}'\n${answers}\n`, {mode: 0o755})
    const PATH = `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`
    const env = {PATH, GITHUB_REF_NAME: tag}
    const {status, stdout} = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return {status, stdout, ran: existsSync(words) ? readFileSync(words, 'utf8').trimEnd().split('\n') : []}
  }

  test.each([
    ['v1.2.3', 0],
    ['v1.2.4', 1],
    ['v1.2.3;touch>x', 1],
  ])('takes the tag %s for what it is', (tag, status) => {
    expect(run(textOf('The tag is of'), tag).status).toBe(status)
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  const another = 'sha512-S7j3mSJMNS9U8Wd8iFFYUqKiEmQuqJN2'
  const published = 'publish ./files/vendorctl-1.2.3.tgz --provenance --access public'

  test.each([
    ['that the registry does not know', 'echo \'{"error": {}}\'; echo "npm error code E404" >&2; exit 1'],
    ['of which it has another version', 'echo \'"1.2.2"\''],
    ['of which it has others', 'echo \'["1.2.2", "11.2.3"]\''],
  ])('publishes a package %s', (_, answer) => {
    const {status, ran} = run(textOf('tarball='), 'v1.2.3', 'npm', `[ "$1" = publish ] || { ${answer}; }`)

    expect(ran.at(-1)).toBe(published)
    expect(status).toBe(0)
  })

  test('leaves the package alone that is published already', () => {
    const answers = `case $* in
      *integrity) printf sha512-; openssl dgst -sha512 -binary files/vendorctl-1.2.3.tgz | openssl base64 -A ;;
      *) echo '["1.2.2", "1.2.3"]' ;;
    esac`
    const {status, ran} = run(textOf('tarball='), 'v1.2.3', 'npm', answers)

    expect(ran).not.toContain(published)
    expect(status).toBe(0)
  })

  test.each([
    ['when another one has the version', `case $* in *integrity) echo ${another} ;; *) echo '"1.2.3"' ;; esac`],
    ['when the registry cannot be asked', 'echo "npm error code ECONNREFUSED" >&2; exit 1'],
  ])('fails and publishes nothing %s', (_, answers) => {
    const {status, ran} = run(textOf('tarball='), 'v1.2.3', 'npm', answers)

    expect(ran).not.toContain(published)
    expect(status).not.toBe(0)
  })

  test('makes a release, or completes the one that is there', () => {
    const fresh = run(textOf('if gh release'), 'v1.2.3', 'gh', '[ "$2" != view ]')
    rmSync(join(folder, 'words'))
    const again = run(textOf('if gh release'), 'v1.2.3', 'gh')

    expect(fresh.ran.at(-1)).toBe('release create v1.2.3 files/vendorctl-1.2.3.tgz --verify-tag --generate-notes')
    expect(again.ran.slice(1)).toEqual([
      'release upload v1.2.3 files/vendorctl-1.2.3.tgz --clobber',
      'release edit v1.2.3 --draft=false',
    ])
    expect([fresh.status, again.status]).toEqual([0, 0])
  })
})
