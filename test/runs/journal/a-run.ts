import {join} from 'node:path'
import {test as base} from 'vitest'
import {type RunFolder, runsFolder} from '../../../src/core/run-id.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import type {NewPart, RunFacts} from '../../../src/runs/journal/journal-entries.js'
import {createJournal} from '../../../src/runs/journal/open-journal.js'
import {makeFolder} from '../../support/folder.js'

export const id = '20260131-174502-1c84f'

export const now = Date.parse('2026-01-31T17:45:02Z')

export function factsOf(more: Partial<RunFacts> = {}): RunFacts {
  return {
    id,
    command: 'sites create',
    operation: 'sites.create',
    profile: 'default',
    stage: 'v2.1',
    baseUrl: 'http://127.0.0.1:1',
    keyFingerprint: '01234567',
    file: 'sites.csv',
    columns: [['name', 3]],
    options: {},
    merges: false,
    rows: 4,
    reads: 0,
    preimages: 'none',
    toolVersion: '1.0.0',
    createdAt: now,
    ...more,
  }
}

export function partOf(number: number, places: readonly number[]): NewPart {
  const body = JSON.stringify({body: places.map((place) => ({accountId: 201, name: `Site ${place}`}))})
  return {parent: null, number, places, origin: '{}', body}
}

/** A run of two sets of two rows each, unless others are given. */
export function makeRun(
  folder: RunFolder,
  more: Partial<RunFacts> = {},
  parts = [partOf(1, [0, 1]), partOf(2, [2, 3])],
): {journal: Journal; seqs: number[]} {
  const rows = parts
    .flatMap(({places}) => places)
    .map((place) => ({
      ...{place, line: place + 2, digest: new Uint8Array(16).fill(place), naturalKey: `[201,"Site ${place}"]`},
      ...{id: null, skip: null, given: null, by: null},
    }))
  return createJournal(folder, factsOf(more), {rows, parts})
}

type Fixtures = {home: string; folder: RunFolder}

/** Tests with the folder of the runs of one user; gone after the test. */
export const test = base.extend<Fixtures>({
  home: async ({onTestFinished}, use) => {
    const home = makeFolder(onTestFinished)
    await use(home)
  },
  folder: async ({home}, use) => use(runsFolder(join(home, 'state'))),
})
