import {expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {readTrace, type TraceProbe} from '../../../src/runs/differences/live-values.js'
import type {Reader} from '../../../src/runs/records/read-current.js'
import {failureOf} from '../../support/client.js'

const probe = writeOperation('selections.adjust').probe as TraceProbe
const now = Date.UTC(2024, 6, 30)
/** A service whose answers have no time. */
const timeless = {
  async *readPages(_id: string, {filters}: {filters: Record<string, string>}) {
    yield {records: [], served: {start: filters['StartDate'], end: filters['EndDate']}, warnings: []}
  },
} as unknown as Reader

test('a trace up to now is not known from a service without a clock; one between two moments is', async () => {
  const wanted = {of: [{id: 1, machineId: 5001}], from: now - 1_000}

  expect(await readTrace(timeless, probe, {...wanted, to: now}, now)).toEqual([])
  expect(await failureOf(readTrace(timeless, probe, wanted, now))).toMatchObject({exit: 'incomplete'})
})
