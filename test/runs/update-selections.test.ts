import {beforeEach, expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {oldestLiveMilliseconds} from '../../src/runs/differences/live-values.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'
import {addSelections, alter, selection} from './selections.js'
import {useUndoableRun} from './undoable-run.js'

const used = useUndoableRun()

/** The records of a body that left. */
function recordsOf(body = '{}'): JsonRecord[] {
  const {body: records} = parseJson(body) as {body: JsonRecord[]}
  return records
}

/** Time that passes only where a test says so. */
const start = systemClock.monotonic()
let passed = 0
const monotonic = () => start + passed
beforeEach(() => {
  passed = 0
})

function becomeOld(): void {
  passed += 3_600_000
}

test('what a row leaves out stays, and the count goes with it', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)

  const report = await used.run('selections.update', ['id,price', `${id},1.75`], {monotonic})

  expect(report.rows).toMatchObject({applied: 1})
  expect(recordsOf(used.sent[0])).toMatchObject([{id, price: 1.75, count: 8, depth: 12, productId: 801}])
  expect(report.live).toMatchObject({rows: 1, fields: ['count']})
  expect(used.requests()).toMatchObject({'selections.list': 1, 'selections.update': 1})
})

test('a sale before the set leaves: the count is read again, and the journal keeps what was sent', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  const confirm = async () => {
    becomeOld()
    alter(used.sandbox, id, {count: 5})
    return true
  }

  const {runId, live} = await used.run('selections.update', ['id,price', `${id},1.75`], {confirm, monotonic})

  expect(selection(used.sandbox, id)).toMatchObject({count: 5, price: 1.75})
  expect(recordsOf(used.sent[0])).toMatchObject([{count: 5}])
  expect(used.journal(runId, (journal) => journal.bodyOf(1))).toBe(used.sent[0])
  expect(live?.milliseconds).toBeLessThan(oldestLiveMilliseconds)
})

test('a count in the file is sent as it stands there', async () => {
  const [id = 0, other = 0] = addSelections(used.sandbox, 2)
  const confirm = async () => {
    becomeOld()
    alter(used.sandbox, id, {count: 5})
    alter(used.sandbox, other, {count: 5})
    return true
  }

  const report = await used.run('selections.update', ['id,price,count', `${id},1.75,11`, `${other},1.75,`], {
    confirm,
    monotonic,
  })

  expect(recordsOf(used.sent[0])).toMatchObject([{count: 11}, {count: 5}])
  expect(report.live).toMatchObject({rows: 1})
})

test('with --replace the count is read as well', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  const {price: _, count: __, isActive: ___, friendlyNumber: ____, ...rest} = selection(used.sandbox, id)
  const line = JSON.stringify({...rest, price: 2})

  const {rows, runId} = await used.run('selections.update', [line], {replace: true, format: 'ndjson'})

  expect(rows).toMatchObject({applied: 1})
  expect(selection(used.sandbox, id)).toMatchObject({count: 8, price: 2})

  alter(used.sandbox, id, {count: 3})
  await used.undo(runId)

  expect(selection(used.sandbox, id)).toMatchObject({count: 3, price: 1.5})
})

test('many sets: one read serves all that are sent within a second', async () => {
  const ids = addSelections(used.sandbox, 60)
  const lines = ['id,price', ...ids.map((id) => `${id},1.75`)]

  const report = await used.run('selections.update', lines, {
    ...{setSize: 10, monotonic: () => Number.MAX_SAFE_INTEGER}, // the plan was read long ago
  })

  expect(report.rows).toMatchObject({applied: 60})
  expect(used.requests()).toMatchObject({'selections.list': 2, 'selections.update': 6})
})

test('sets that are sent slowly are each sent with a count that is not old', async () => {
  const [id = 0, other = 0] = addSelections(used.sandbox, 2)
  const [write, client] = [used.client.write, used.client]
  const slow: typeof client = {
    readPages: client.readPages,
    async write(operation, sent, how) {
      const answer = await write(operation, sent, how)
      becomeOld()
      alter(used.sandbox, other, {count: 2})
      return answer
    },
  }

  await used.run('selections.update', ['id,price', `${id},1.75`, `${other},1.75`], {
    setSize: 1,
    client: slow,
    monotonic,
  })

  expect(recordsOf(used.sent[1])).toMatchObject([{id: other, count: 2}])
})

test('a wait for the permit makes the count old: it is read once more', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  let waits = 0
  const client: typeof used.client = {
    readPages: used.client.readPages,
    async write(operation, sent, how = {}) {
      const {beforeSend} = how
      const late = async () => {
        if (waits++ > 0) return
        becomeOld()
        alter(used.sandbox, id, {count: 1})
      }
      await late()
      try {
        beforeSend?.()
      } catch (failure) {
        return {fate: 'unsent', failure: failure as Error}
      }
      return used.client.write(operation, sent, how)
    },
  }

  const report = await used.run('selections.update', ['id,price', `${id},1.75`], {client, monotonic})

  expect(report.rows).toMatchObject({applied: 1})
  expect(selection(used.sandbox, id)).toMatchObject({count: 1, price: 1.75})
})

test('the read before a set fails: nothing is sent, and the reason is told', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  const confirm = async () => {
    becomeOld()
    used.sandbox.faults.set(['status(403,DATA_ACCESS)@selections.list#1'])
    return true
  }

  const report = await used.run('selections.update', ['id,price', `${id},1.75`], {confirm, monotonic})

  expect(report).toMatchObject({rows: {unsent: 1}, exit: 'denied'})
  expect(report.entries[0]?.message).toContain('The current values of the records could not be read')
  expect(used.sent).toEqual([])
})

test('a read before a set that breaks as nobody expected ends the run so', async () => {
  const [id = 0] = addSelections(used.sandbox, 1)
  let readPages = used.client.readPages
  const client: typeof used.client = {...used.client, readPages: (...asked) => readPages(...asked)}
  const confirm = async () => {
    becomeOld()
    readPages = () => {
      throw new TypeError('broken')
    }
    return true
  }

  const run = used.run('selections.update', ['id,price', `${id},1.75`], {client, confirm, monotonic})

  await expect(run).rejects.toThrow('broken')
  expect(used.sent).toEqual([])
})
