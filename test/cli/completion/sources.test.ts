import {spawnSync} from 'node:child_process'
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {listAlertCodes, listJobs, listProfiles, listRuns} from '../../../src/cli/completion/sources.js'
import {makeFolder} from '../../support/folder.js'

let folder: string
let environment: Record<string, string>

beforeEach(() => {
  folder = makeFolder()
  environment = {XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder}
  mkdirSync(join(folder, 'vendorctl', 'runs'), {recursive: true})
})
const writeProfiles = (text: string) => writeFileSync(join(folder, 'vendorctl', 'profiles.json'), text)

test('jobs are named in the order of their file, and are none where it is none', () => {
  expect(listJobs(environment, 'jobs')).toEqual([])
  const path = join(folder, 'vendorctl', 'jobs.yaml')
  writeFileSync(
    path,
    '# jobs\njobs:\n  b-1: # first\n    command: machines list\n\n  "a.x":\n    command: sites list\n',
  )

  expect(listJobs(environment, 'jobs')).toEqual([{value: 'b-1'}, {value: 'a.x'}])
  expect(listJobs({...environment, VENDORCTL_JOBS_FILE: join(folder, 'none')}, 'jobs')).toEqual([])
})

describe('profiles', () => {
  test('are named with where they lead, and nothing else of them', () => {
    writeProfiles('{"profiles":{"b":{"stage":"rc"},"a":{"baseUrl":"http://h","credentialCommand":"pass x"},"c":null}}')

    expect(listProfiles(environment)).toEqual([
      {value: 'a', about: 'http://h'},
      {value: 'b', about: 'rc'},
      {value: 'c', about: ''},
    ])
  })

  test('with names that do not look as they are stay out', () => {
    const names = ['a\nb', 'a\u001b[31mb', 'a\u202eb', '', 'a b', '$(a)']
    writeProfiles(JSON.stringify({profiles: Object.fromEntries(names.map((name) => [name, {}]))}))

    expect(listProfiles(environment).map(({value}) => value)).toEqual(['$(a)', 'a b'])
  })

  test.each(['', '{', '[]', 'null', '{"profiles":3}', '{"profiles":[]}'])('are none in %s', (text) => {
    writeProfiles(text)

    expect(listProfiles(environment)).toEqual([])
  })

  test('are none when there is no file, no folder, a folder, a pipe, or far too much', () => {
    const path = join(folder, 'vendorctl', 'profiles.json')

    expect(listProfiles(environment)).toEqual([])
    expect(listProfiles({XDG_CONFIG_HOME: join(folder, 'nowhere')})).toEqual([])
    mkdirSync(path)
    expect(listProfiles(environment)).toEqual([])
    rmSync(path, {recursive: true})
    expect(spawnSync('sh', ['-c', 'mkfifo "$0"', path]).status).toBe(0)
    expect(listProfiles(environment)).toEqual([])
    rmSync(path)
    writeProfiles(`{"profiles":{"a":{}}}${' '.repeat(2 * 1024 * 1024)}`)
    expect(listProfiles(environment)).toEqual([])
  })
})

describe('alert codes', () => {
  test('are those that services listed, each once; a damaged list offers none', () => {
    const listed = join(folder, 'vendorctl', 'alert-codes')
    mkdirSync(listed)
    expect(listAlertCodes(environment)).toEqual([])
    writeFileSync(join(listed, 'a.json'), '{"at":1,"codes":["NS","CJ"]}')
    writeFileSync(join(listed, 'b.json'), '{"at":1,"codes":["NS","C\\u001b"]}')
    expect(listAlertCodes(environment).map(({value}) => value)).toEqual(['CJ', 'NS'])
    writeFileSync(join(listed, 'b.json'), '{')
    expect(listAlertCodes(environment)).toEqual([])
  })
})

describe('runs', () => {
  test('are those of the folder, newest first, and the newest has a name of its own', () => {
    for (const name of ['20260131-174502-1c84f.run', '20260201-080000-2d00a.run', '$(x).run', 'a.lock', 'b.run-wal']) {
      writeFileSync(join(folder, 'vendorctl', 'runs', name), '')
    }

    expect(listRuns(environment).map(({value}) => value)).toEqual([
      'latest',
      '20260201-080000-2d00a',
      '20260131-174502-1c84f',
    ])
    expect(listRuns(environment)[2]?.about).toBe('Began 2026-01-31 17:45:02 UTC.')
  })

  test('are none when the folder is empty, gone, or a file', () => {
    expect(listRuns(environment)).toEqual([])
    rmSync(join(folder, 'vendorctl', 'runs'), {recursive: true})
    expect(listRuns(environment)).toEqual([])
    writeFileSync(join(folder, 'vendorctl', 'runs'), '')
    expect(listRuns(environment)).toEqual([])
  })
})
