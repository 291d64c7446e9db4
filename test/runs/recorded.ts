import {makeRunId} from '../../src/core/run-id.js'
import type {RunFacts} from '../../src/runs/journal/journal-entries.js'
import type {Agreed} from '../../src/runs/rows/phases.js'

/** Facts of a run that a test records. */
export function factsOf(plan: Agreed, more: Partial<RunFacts> = {}): RunFacts {
  const {operation, file, columns, merges, rows, reads} = plan
  return {
    id: makeRunId(Date.now(), Math.random),
    ...{command: operation, operation, profile: 'sandbox', stage: 'v2.1', baseUrl: '', keyFingerprint: '', file},
    ...{columns: [...columns], options: {}, merges, rows: rows.length, reads, preimages: 'whole'},
    ...{toolVersion: '0', createdAt: Date.now(), ...more},
  }
}
