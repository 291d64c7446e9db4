import {chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {checkPrivate, checkUnshared, findExposure} from '../../src/core/owner-and-mode.js'
import {makeFolder} from '../support/folder.js'
import {foreignFile, hasModes, openBits} from '../support/foreign-file.js'

let home: string

beforeEach(() => {
  home = makeFolder()
})
function make(kind: 'file' | 'folder', mode: number): string {
  const path = join(home, kind)
  if (kind === 'file') writeFileSync(path, '')
  else mkdirSync(path)
  chmodSync(path, mode)
  return path
}

const unsafe = (message: string, hint: string) =>
  expect.objectContaining({message, exit: 'unsafe', code: 'STATE_OPEN', hints: [hint]})

describe('what only its owner can use', () => {
  test.each(['file', 'folder'] as const)('may be a %s', (kind) => {
    const path = make(kind, 0o700)

    expect(() => checkPrivate(path, 'The journal')).not.toThrow()
  })

  test('may be nothing', () => {
    expect(() => checkPrivate(join(home, 'nothing'), 'The journal')).not.toThrow()
  })

  test.each(hasModes ? openBits : [])('may not have the bit %o', (bit) => {
    const file = make('file', 0o600 | bit)
    const folder = make('folder', 0o700 | bit)

    expect(() => checkPrivate(file, 'The journal')).toThrow(
      unsafe(`The journal can be read by other users; it is not used: ${file}`, `chmod 600 ${file}`),
    )
    expect(() => checkPrivate(folder, 'The folder')).toThrow(
      unsafe(`The folder can be entered by other users; it is not used: ${folder}`, `chmod 700 ${folder}`),
    )
  })

  test.each(hasModes ? ['another user'] : [])('may not belong to %s', () => {
    const path = foreignFile(make('file', 0o600))

    expect(() => checkPrivate(path, 'The journal')).toThrow(
      unsafe(`The journal belongs to another user; it is not used: ${path}`, `ls -ld ${path}`),
    )
  })

  test('may not be a link, wherever it leads', () => {
    const link = join(home, 'link')
    symlinkSync(make('file', 0o600), link)

    expect(() => checkPrivate(link, 'The journal')).toThrow(
      unsafe(`The journal is a symbolic link; it is not used: ${link}`, `rm ${link}`),
    )
  })

  test('cannot lie below a file', () => {
    const path = join(make('file', 0o600), 'below')

    expect(() => checkPrivate(path, 'The journal')).toThrow(
      expect.objectContaining({exit: 'storage', message: expect.stringContaining(path)}),
    )
  })
})

const elsewhere = 'Or set X to another folder.'

describe('a folder that others may look into, and that nobody else can change', () => {
  const check = (path: string) => checkUnshared(path, 'The config folder', elsewhere)
  const refused = (message: string, hint: string) =>
    expect.objectContaining({message, exit: 'unsafe', code: 'STATE_OPEN', hints: [hint, elsewhere]})

  test.each(hasModes ? [0o700, 0o755, 0o500] : [])('may have the mode %o', (mode) => {
    const path = make('folder', mode)

    expect(() => check(path)).not.toThrow()
  })

  test.each(hasModes ? [0o020, 0o002] : [])('may not have the bit %o', (bit) => {
    const path = make('folder', 0o755 | bit)

    expect(() => check(path)).toThrow(
      refused(`The config folder can be changed by other users; it is not used: ${path}`, `chmod go-w ${path}`),
    )
  })

  test.each(hasModes && process.getuid?.() === 0 ? ['another user'] : [])('may not belong to %s', () => {
    const path = foreignFile(make('folder', 0o755))

    expect(() => check(path)).toThrow(
      refused(`The config folder belongs to another user; it is not used: ${path}`, `ls -ld ${path}`),
    )
  })

  test('may not be a link', () => {
    const link = join(home, 'link')
    symlinkSync(make('folder', 0o700), link)

    expect(() => check(link)).toThrow(
      refused(`The config folder is a symbolic link; it is not used: ${link}`, `ls -ld ${link}`),
    )
  })

  test.each(hasModes ? [0o777, 0o757] : [])('may not lie where others can replace it: %o', (mode) => {
    chmodSync(home, mode)

    expect(() => check(join(home, 'folder'))).toThrow(
      refused(
        `The config folder lies in ${home}, where others can replace it; it is not used: ${join(home, 'folder')}`,
        `chmod go-w ${home}`,
      ),
    )
    chmodSync(home, 0o700)
  })

  test.each(hasModes ? [0o1777, 0o755] : [])('may lie where others can only have their own: %o', (mode) => {
    chmodSync(home, mode)

    expect(() => check(join(home, 'folder'))).not.toThrow()
    chmodSync(home, 0o700)
  })

  test.for(
    hasModes && process.getuid?.() === 0
      ? ([
          ['of a group of others', [0, 65_534, 0o770], [0, 0], false],
          ['of its own group, which has its number', [4_711, 4_711, 0o770], [4_711, 4_711], true],
          ['of its own group, where all may write', [4_711, 4_711, 0o777], [4_711, 4_711], false],
          ['of a group that others are in', [4_711, 100, 0o770], [4_711, 100], false],
          ['of another group than its own', [4_711, 100, 0o770], [4_711, 4_711], false],
          ['of a group in which it is not', [4_711, 4_711, 0o770], [4_711, 100], false],
          ['of the group of root, as root', [0, 0, 0o770], [0, 0], false],
          ['that is sticky and of root', [0, 0, 0o1777], [4_711, 4_711], true],
          ['that is sticky and its own', [4_711, 4_711, 0o1777], [4_711, 4_711], true],
          ['that is sticky and of another user', [65_534, 65_534, 0o1777], [4_711, 4_711], false],
        ] as const)
      : [],
  )('in a folder %s', ([, [owner, group, mode], [uid, gid], isSafe]) => {
    chownSync(home, owner, group)
    chmodSync(home, mode)
    vi.spyOn(process, 'getuid').mockReturnValue(uid)
    vi.spyOn(process, 'getgid').mockReturnValue(gid)

    if (isSafe) expect(() => check(join(home, 'folder'))).not.toThrow()
    else expect(() => check(join(home, 'folder'))).toThrow(expect.objectContaining({exit: 'unsafe'}))
    vi.restoreAllMocks()
  })

  test('may lie where nothing can: whoever makes it says so', () => {
    expect(() => check(join(make('file', 0o666), 'folder'))).not.toThrow()
  })
})

test.runIf(hasModes)('what belongs to root may be used where others may read it, and is private to nobody else', () => {
  const root = lstatSync('/')
  vi.spyOn(process, 'getuid').mockReturnValue(4_711)

  const found = (['unshared', 'private'] as const).map((access) => findExposure(root, access)?.why)
  vi.restoreAllMocks()

  expect(found).toEqual([undefined, 'belongs to another user'])
})
