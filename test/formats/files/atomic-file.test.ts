import {execFile} from 'node:child_process'
import * as system from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {openAtomicFile} from '../../../src/formats/files/atomic-file.js'
import {makeFolder} from '../../support/folder.js'

const {lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile} = system
const errorOf = (code: string) => Object.assign(new Error(`${code}: secret details`), {code})

let folder: string
let path: string

beforeEach(() => {
  folder = makeFolder()
  path = join(folder, 'out.csv')
})

/** A file system whose opened files fail at one of their methods, from the given call on. */
function failingAt(method: 'writeFile' | 'sync', code: string, fromCall = 1): typeof system {
  let calls = 0
  const open: typeof system.open = async (...args) => {
    const handle = await system.open(...args)
    const real = handle[method].bind(handle) as (...args: unknown[]) => Promise<void>
    handle[method] = async (...values: unknown[]) => {
      if (++calls >= fromCall) throw errorOf(code)
      return real(...values)
    }

    return handle
  }

  return {...system, open}
}

describe('a whole file', () => {
  test('appears under its name only when it is committed', async () => {
    const file = await openAtomicFile(path)
    await file.write('id,name\n')
    await file.write(Buffer.from('1,é\n'))

    expect(await readdir(folder)).toEqual(['out.csv.part'])
    expect((await stat(`${path}.part`)).mode & 0o777).toBe(0o600)

    await file.commit()

    expect(await readdir(folder)).toEqual(['out.csv'])
    expect(await readFile(path, 'utf8')).toBe('id,name\n1,é\n')
  })

  test('gets the permissions that new files get', async () => {
    await writeFile(join(folder, 'plain'), '')

    await (await openAtomicFile(path)).commit()

    expect((await stat(path)).mode).toBe((await stat(join(folder, 'plain'))).mode)
  })

  test('discarded leaves nothing, and discarding twice or after the commit does nothing', async () => {
    const file = await openAtomicFile(path)
    await file.write('x')

    await file.discard()
    await file.discard()

    expect(await readdir(folder)).toEqual([])

    const kept = await openAtomicFile(path)
    await kept.commit()
    await kept.discard()

    expect(await readdir(folder)).toEqual(['out.csv'])
  })

  test('replaces what a dead run left', async () => {
    await writeFile(`${path}.part`, 'much longer than what comes now')

    const file = await openAtomicFile(path)
    await file.write('new')
    await file.commit()

    expect(await readFile(path, 'utf8')).toBe('new')
  })
})

test('the bytes are on disk before the name, and the name before the end', async () => {
  const steps: string[] = []
  const open: typeof system.open = async (name, ...rest) => {
    const handle = await system.open(name, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      steps.push(`sync ${String(name) === folder ? 'folder' : 'file'}`)
      return sync()
    }

    return handle
  }

  const rename: typeof system.rename = async (from, to) => {
    steps.push('rename')
    return system.rename(from, to)
  }

  await (await openAtomicFile(path, {overwrite: true, fileSystem: {...system, open, rename}})).commit()

  expect(steps).toEqual(['sync file', 'rename', 'sync folder'])
})

describe('an existing file', () => {
  beforeEach(() => writeFile(path, 'old', {mode: 0o640}))

  test('is not replaced', async () => {
    await expect(openAtomicFile(path)).rejects.toMatchObject({
      message: `${path} already exists`,
      code: 'FILE_EXISTS',
      exit: 'usage',
      hints: [expect.stringContaining('--overwrite')],
    })
    expect(await readdir(folder)).toEqual(['out.csv'])
  })

  test('is replaced whole with overwrite, and keeps its permissions', async () => {
    const file = await openAtomicFile(path, {overwrite: true})
    await file.write('new')

    expect(await readFile(path, 'utf8')).toBe('old')

    await file.commit()

    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
  })

  test('that came up while ours was written is kept, and ours as well', async () => {
    await rm(path)
    const file = await openAtomicFile(path)
    await file.write('ours')
    await writeFile(path, 'theirs')

    await expect(file.commit()).rejects.toMatchObject({code: 'FILE_EXISTS'})
    await file.discard()

    expect(await readFile(path, 'utf8')).toBe('theirs')
    expect(await readFile(`${path}.part`, 'utf8')).toBe('ours')
  })

  test('is kept also where the file system cannot link', async () => {
    await rm(path)
    const fileSystem = {...system, link: () => Promise.reject(errorOf('EPERM'))}
    const first = await openAtomicFile(path, {fileSystem})
    await first.write('first')
    await first.commit()

    expect(await readFile(path, 'utf8')).toBe('first')

    await rm(path)
    const second = await openAtomicFile(path, {fileSystem})
    await writeFile(path, 'theirs')

    await expect(second.commit()).rejects.toMatchObject({code: 'FILE_EXISTS'})
    expect(await readFile(path, 'utf8')).toBe('theirs')
  })
})

describe('a path that cannot be', () => {
  test('a folder that does not exist', async () => {
    await expect(openAtomicFile(join(folder, 'none', 'out.csv'))).rejects.toMatchObject({
      code: 'FOLDER_MISSING',
      exit: 'storage',
      hints: [`Create the folder first: mkdir -p ${join(folder, 'none')}`],
    })
  })

  test.each(['.', 'inner', 'inner/', 'new/'])('a folder: %s', async (name) => {
    await mkdir(join(folder, 'inner'))

    await expect(openAtomicFile(`${folder}/${name}`)).rejects.toMatchObject({
      code: 'IS_A_FOLDER',
      exit: 'usage',
      hints: ['Choose another path.'],
    })
  })

  test('below a file', async () => {
    await writeFile(path, '')

    await expect(openAtomicFile(join(path, 'x'))).rejects.toMatchObject({code: 'FOLDER_MISSING', exit: 'storage'})
  })

  test('a name that is too long', async () => {
    await expect(openAtomicFile(join(folder, 'x'.repeat(300)))).rejects.toMatchObject({exit: 'usage'})
  })
})

describe('a symbolic link', () => {
  test.each(['out.csv', 'out.csv.part'])('planted as %s is refused and its target is not touched', async (name) => {
    const target = join(folder, 'target')
    await writeFile(target, 'precious')
    await symlink(target, join(folder, name))

    await expect(openAtomicFile(path, {overwrite: true})).rejects.toMatchObject({exit: 'unsafe'})

    expect(await readFile(target, 'utf8')).toBe('precious')
    expect((await lstat(join(folder, name))).isSymbolicLink()).toBe(true)
  })

  test('to nowhere is refused', async () => {
    await symlink(join(folder, 'nowhere'), path)

    await expect(openAtomicFile(path)).rejects.toMatchObject({exit: 'unsafe'})
    expect(await readdir(folder)).toEqual(['out.csv'])
  })

  test('planted between the check and the opening is not followed', async () => {
    const target = join(folder, 'target')
    const open: typeof system.open = async (name, ...rest) => {
      await symlink(target, String(name))
      return system.open(name, ...rest)
    }

    await expect(openAtomicFile(path, {fileSystem: {...system, open}})).rejects.toMatchObject({exit: 'locked'})
    expect(await readdir(folder)).toEqual(['out.csv.part'])
  })
})

test('half a file of another run never gets the name', async () => {
  const first = await openAtomicFile(path)
  await first.write('first, whole')
  const second = await openAtomicFile(path)
  await second.write('second, ha')

  await expect(first.commit()).rejects.toMatchObject({code: 'FILE_TAKEN', exit: 'locked'})
  await second.write('lf')
  await second.commit()

  expect(await readdir(folder)).toEqual(['out.csv'])
  expect(await readFile(path, 'utf8')).toBe('second, half')
})

describe('a disk that refuses', () => {
  test.each([
    ['ENOSPC', 'NO_SPACE', 'the disk is full'],
    ['EDQUOT', 'NO_SPACE', 'the quota of this disk is used up'],
    ['EIO', 'STORAGE_ERROR', 'the disk failed'],
    ['EACCES', 'NO_PERMISSION', 'no permission'],
    ['EWHATEVER', 'STORAGE_ERROR', 'EWHATEVER'],
  ])('%s in the middle: the old file stays, nothing else does', async (errorCode, code, words) => {
    await writeFile(path, 'old')
    const file = await openAtomicFile(path, {overwrite: true, fileSystem: failingAt('writeFile', errorCode, 2)})
    await file.write('first')

    await expect(file.write('second')).rejects.toMatchObject({
      message: `cannot write ${path}: ${words}`,
      code,
      exit: 'storage',
    })

    expect(await readdir(folder)).toEqual(['out.csv'])
    expect(await readFile(path, 'utf8')).toBe('old')
  })

  test('a sync that fails keeps the name from being given', async () => {
    const file = await openAtomicFile(path, {fileSystem: failingAt('sync', 'EIO')})
    await file.write('x')

    await expect(file.commit()).rejects.toMatchObject({exit: 'storage'})

    expect(await readdir(folder)).toEqual([])
  })

  test.each(['EROFS', 'EACCES'])('%s at once', async (errorCode) => {
    const fileSystem = {...system, open: () => Promise.reject(errorOf(errorCode))}

    await expect(openAtomicFile(path, {fileSystem})).rejects.toMatchObject({code: 'NO_PERMISSION', exit: 'storage'})
  })
})

describe('what is no file', () => {
  test('a full device', async () => {
    const file = await openAtomicFile('/dev/full')

    await expect(file.write('x')).rejects.toMatchObject({code: 'NO_SPACE', exit: 'storage'})

    await file.discard()
  })

  test('a device is written to as it is, without overwrite and without .part', async () => {
    const file = await openAtomicFile('/dev/null')
    await file.write('x')
    await file.commit()

    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  })

  test('a pipe gets the bytes as they come', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    const reading = readFile(pipe, 'utf8')

    const file = await openAtomicFile(pipe)
    await file.write('one\n')
    await file.write('two\n')
    await file.commit()

    expect(await reading).toBe('one\ntwo\n')
    expect(await readdir(folder)).toEqual(['pipe'])
  })

  test('no call of the system waits for the reader of a pipe, which would keep the process from ending', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])

    const opening = openAtomicFile(pipe)
    await vi.waitUntil(() => !process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')))
    const reading = readFile(pipe, 'utf8')
    await (await opening).commit()

    expect(await reading).toBe('')
  })

  test('a link to a pipe or a device is refused: somebody else would read what is written, or it would be lost', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    for (const target of [pipe, '/dev/null']) {
      await system.rm(path, {force: true})
      await system.symlink(target, path)

      await expect(openAtomicFile(path)).rejects.toMatchObject({code: 'SYMBOLIC_LINK', exit: 'unsafe'})
      await expect(openAtomicFile(path, {overwrite: true})).rejects.toMatchObject({code: 'SYMBOLIC_LINK'})
    }
  })

  test('a pipe of another user is neither opened nor replaced', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    const other = vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1)

    for (const overwrite of [false, true]) {
      await expect(openAtomicFile(pipe, {overwrite})).rejects.toMatchObject({exit: 'unsafe'})
    }

    other.mockRestore()
  })

  test('the name of an open descriptor is written through, behind what is there', async () => {
    const handle = await system.open(path, 'a')
    await handle.write('before, ')

    const file = await openAtomicFile(`/proc/self/fd/${handle.fd}`)
    await file.write('through')
    await file.commit()
    await handle.close()

    expect(await readFile(path, 'utf8')).toBe('before, through')
    expect(await readdir(folder)).toEqual(['out.csv'])
  })
})
