import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {describe, expect} from 'vitest'
import type {FileEvent} from '../../src/reports/export/export-types.js'
import {parseManifest} from '../../src/reports/export/manifest.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {failureOf} from '../support/client.js'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'

const range = {start: '2024-07-01T00:00:00', end: '2024-07-28T00:00:00'}

/** An export that read everything and could not have its name, because somebody took it meanwhile. */
async function sealAt(path: string, sandbox: Sandbox): Promise<() => ReturnType<typeof exportHere>> {
  const on = ({kind}: FileEvent) => {
    if (kind === 'page') writeFileSync(path, 'of somebody else')
  }
  const failure = await failureOf(exportHere({sandbox, ...range, path, on}))
  expect(failure.message).toContain('exists')
  rmSync(path)
  return () => exportHere({sandbox, ...range, path})
}

/** As if it was killed after its end was written and before that was noted. */
function forgetManifest(folder: string): void {
  const [checkpoint = ''] = readdirSync(join(folder, 'exports')).filter((name) => name.endsWith('.db'))
  const database = new DatabaseSync(join(folder, 'exports', checkpoint))
  database.exec('UPDATE export SET manifest = NULL')
  database.close()
}

describe('an export that read everything and lacks its name', () => {
  test('gets its name and its manifest by the same command, without a request', async ({folder, start}) => {
    const sandbox = await start({batches: 50})
    const path = join(folder, 'x.csv')
    const goOn = await sealAt(path, sandbox)
    const part = readFileSync(`${path}.part`)
    const before = JSON.stringify(sandbox.requests())

    const outcome = await goOn()

    expect(outcome).toMatchObject({kind: 'written', wasSealed: true})
    expect(readFileSync(path).equals(part)).toBe(true)
    const manifest = parseManifest(readFileSync(`${path}.manifest.json`, 'utf8'), 'x.csv.manifest.json')
    expect(manifest.digest).toBe(`sha256:${createHash('sha256').update(part).digest('hex')}`)
    expect(JSON.stringify(sandbox.requests())).toBe(before)
  })

  test('is refused when a byte of it was changed, and gets no name', async ({folder, start}) => {
    const path = join(folder, 'x.csv')
    const goOn = await sealAt(path, await start({batches: 50}))
    const part = readFileSync(`${path}.part`)
    part[part.length - 3] = 'x'.charCodeAt(0)
    writeFileSync(`${path}.part`, part)

    const failure = await failureOf(goOn())

    expect(failure).toMatchObject({code: 'PART_DAMAGED', exit: 'storage'})
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(folder)).not.toContain('x.csv.manifest.json')
  })

  test.for([{}, {isNamed: true}])(
    'and lost NAME.part before it had a name is not taken for moved: %j',
    async (options, {folder, start}) => {
      const sandbox = await start({batches: 50})
      const path = join(folder, 'x.csv')
      const kinds: string[] = []
      const on = ({kind}: FileEvent) => {
        kinds.push(kind)
        if (kind === 'sealed') rmSync(`${path}.part`)
      }

      expect(await failureOf(exportHere({sandbox, ...range, path, options, on}))).toMatchObject({code: 'FILE_TAKEN'})
      expect(await failureOf(exportHere({sandbox, ...range, path, options, on}))).toMatchObject({code: 'PART_DAMAGED'})
      expect(kinds).not.toContain('written')
    },
  )

  test('is refused when another has its name; no manifest tells of bytes that are gone', async ({folder, start}) => {
    const sandbox = await start({batches: 50})
    const path = join(folder, 'x.csv')
    const on = ({kind}: FileEvent) => {
      if (kind === 'written') throw new Error('killed')
    }
    await expect(exportHere({sandbox, ...range, path, on})).rejects.toThrow('killed')
    rmSync(`${path}.manifest.json`)
    writeFileSync(path, 'of somebody else')

    const failure = await failureOf(exportHere({sandbox, ...range, path}))

    expect(failure).toMatchObject({code: 'OUTPUT_CHANGED', exit: 'storage'})
    expect(readFileSync(path, 'utf8')).toBe('of somebody else')
    expect(readdirSync(folder)).not.toContain('x.csv.manifest.json')
  })

  test('and was killed right before it could note that, has one end', async ({folder, start}) => {
    const path = join(folder, 'x.json')
    const goOn = await sealAt(path, await start({batches: 50}))
    forgetManifest(folder)

    const {manifest} = await goOn()

    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(manifest.rows)
  })

  test('was killed like that while data kept changing, which was accepted, has one end', async ({folder, start}) => {
    const sandbox = await start({batches: 30})
    const [last] = sandbox.store.read('batch').slice(-1)
    for (let index = 0; index < 40; index++)
      sandbox.add('batch', {...last, id: `B${9_000_000 + index}`, recordedAtUtc: '2024-05-15T12:00:00'})
    const path = join(folder, 'x.json')
    const flags = {'page-size': 15, 'require-grade': 'D'} as const
    const given = {sandbox, start: '2024-04-03T00:00:00', end: range.end, path, flags}
    sandbox.faults.set(['shuffle@reports.transactions'])
    const on = ({kind}: FileEvent) => {
      if (kind === 'sealed') throw new Error('killed')
    }
    await expect(exportHere({...given, on})).rejects.toThrow('killed')
    forgetManifest(folder)

    const {manifest} = await exportHere(given)

    expect(manifest.grade).toBe('D')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(manifest.rows)
  })

  test('of no rows leaves nothing behind where files without rows are not wanted', async ({folder, start}) => {
    const path = join(folder, 'x.csv')
    const where = {flags: {where: ['id=0']}, options: {skipEmpty: true}}

    const {kind} = await exportHere({sandbox: await start({batches: 50}), ...range, path, ...where})

    expect([kind, readdirSync(folder)]).toEqual(['skipped', ['exports']])
  })
})
