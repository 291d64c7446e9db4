import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import type {ExportEngine} from '../../../src/reports/export/export-types.js'
import type {Manifest} from '../../../src/reports/export/manifest.js'
import {compareExport} from '../../../src/reports/verify/compare-export.js'
import {test} from '../../support/folder.js'

test('a file that cannot be opened leaves no folder behind', async ({folder}) => {
  const engine = {folder: join(folder, 'exports')} as ExportEngine
  const manifest = {where: [], range: {asked: ['2024-01-01T00:00:00', '2024-01-02T00:00:00']}} as unknown
  const comparison = compareExport(join(folder, 'none.csv'), manifest as Manifest, {engine, share: 1, random: () => 0})

  await expect(comparison.next()).rejects.toThrow('none.csv')

  expect(existsSync(engine.folder) ? readdirSync(engine.folder) : []).toEqual([])
})
