import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {FileEvent} from '../../../src/reports/export/export-types.js'
import {failureOf} from '../../support/client.js'
import {exportHere} from '../../support/export.js'
import {test} from '../../support/export-folder.js'

const range = {start: '2024-07-01T00:00:00', end: '2024-07-28T00:00:00'}

describe('two machines, each with a state of its own, that export to one file at the same time', () => {
  test('do not write together: the second says who writes, and no lock is left', async ({folder, start}) => {
    const sandbox = await start({batches: 50})
    const path = join(folder, 'x.ndjson')
    const state = join(folder, 'state of the other')
    mkdirSync(state)
    let second: Promise<Error> | undefined
    const on = ({kind}: FileEvent) => {
      if (kind === 'page') second ??= failureOf(exportHere({sandbox, ...range, path, options: {folder: state}}))
    }

    const outcome = await exportHere({sandbox, ...range, path, on})

    expect(outcome.kind).toBe('written')
    expect(await second).toMatchObject({
      ...{code: 'OUTPUT_LOCKED', exit: 'locked'},
      message: expect.stringContaining(`Another run is writing ${path} (pid ${process.pid}, since `),
    })
    expect(readdirSync(folder).sort()).toEqual(['exports', 'state of the other', 'x.ndjson', 'x.ndjson.manifest.json'])
  })
})
