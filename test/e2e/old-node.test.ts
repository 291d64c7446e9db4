import {spawnSync} from 'node:child_process'
import {closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {beforeEach, describe, expect, test} from 'vitest'
import {makeFolder} from '../support/folder.js'

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const older = "Object.defineProperty(process, 'versions', {value: {...process.versions, node: '18.20.0'}})"

describe('an old Node', () => {
  let folder = ''

  beforeEach(() => {
    folder = makeFolder()
    mkdirSync(join(folder, 'node_modules', 'node', 'bin'), {recursive: true})
    cpSync(program, join(folder, 'bin', 'run.js'))
    writeFileSync(join(folder, 'older.cjs'), older)
  })
  /** What the program says where a local Node is this script; where there is none, without one. */
  function start(script?: string, mode = 0o755) {
    const local = join(folder, 'node_modules', 'node', 'bin', 'node')
    if (script !== undefined) writeFileSync(local, script, {mode})
    const words = ['--require', join(folder, 'older.cjs'), join(folder, 'bin', 'run.js'), 'machines', 'list']
    const {status, stdout, stderr} = spawnSync(process.execPath, words, {encoding: 'utf8'})
    return {status, stdout, stderr: stderr.replace(local, 'LOCAL')}
  }

  const sentence = `vendorctl needs Node 22.20 or newer; this is ${process.version}`

  test('is told what is needed', () => {
    expect(start()).toEqual({status: 1, stdout: '', stderr: `${sentence}.\n`})
  })

  test('hands all words to the local one, and ends as that does', () => {
    const ran = start('#!/bin/sh\nshift\necho "$*"\nexit 7\n')

    expect(ran).toEqual({status: 7, stdout: 'machines list\n', stderr: ''})
  })

  test.each([
    ['HUP', 129],
    ['INT', 130],
    ['KILL', 137],
    ['SEGV', 139],
    ['TERM', 143],
  ])('ends as a shell tells of a local one that ended by %s: %i', (signal, status) => {
    const ran = start(`#!/bin/sh\nulimit -c 0\nkill -${signal} $$\n`)

    expect(ran).toEqual({status, stdout: '', stderr: ''})
  })

  test('says in one sentence that the local one is being written', () => {
    const local = join(folder, 'node_modules', 'node', 'bin', 'node')
    const writing = openSync(local, 'w', 0o755)
    const ran = start()
    closeSync(writing)

    expect(ran).toEqual({status: 1, stdout: '', stderr: `${sentence}, and LOCAL cannot be started (ETXTBSY).\n`})
  })

  test('says in one sentence that the local one cannot be started', () => {
    const ran = start('#!/bin/sh\n', 0o644)

    expect(ran).toEqual({status: 1, stdout: '', stderr: `${sentence}, and LOCAL cannot be started (EACCES).\n`})
  })
})

test('holds nothing that an old Node cannot read', () => {
  const code = readFileSync(program, 'utf8').replaceAll(/^\s*\/\/.*$|\/\*\*.*\*\/|'[^'\n]*'/gm, '')

  expect(code).not.toMatch(/\b(?:const|let|class|async|await|import)\b|=>|`|\.\.\.|\?\.|\?\?/)
})
