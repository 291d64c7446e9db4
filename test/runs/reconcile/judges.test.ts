import {describe, expect, test} from 'vitest'
import {type WriteId, writeOperation} from '../../../src/contract/index.js'
import {judgeFields} from '../../../src/runs/reconcile/judge-fields.js'
import {judgeLikeness} from '../../../src/runs/reconcile/judge-likeness.js'
import {judgeMoment} from '../../../src/runs/reconcile/judge-moment.js'
import type {SentSet} from '../../../src/runs/reconcile/judgement.js'
import type {JsonRecord} from '../../../src/values/json.js'

function sentSet(operation: WriteId, records: JsonRecord[], more: Partial<SentSet> = {}): SentSet {
  const write = writeOperation(operation)
  return {write, records, given: records, before: new Map(), known: new Set(), knowsAll: true, ...more}
}

describe('a machine that says when it was provisioned', () => {
  const sent = {from: Date.UTC(2026, 5, 1, 12), to: Date.UTC(2026, 5, 1, 12, 0, 10)}
  const judge = (provisionedAt: string | number | null, organizationId = 101, span: typeof sent | null = sent) => {
    const set = sentSet('machines.provision', [{prose: 'PRS1', organizationId: '101'}])
    const records = new Map([['prs1', {prose: 'PRS1', organizationId, provisionedAt}]])
    return judgeMoment(set, {records, field: 'provisionedAt', sent: span ?? undefined})
  }

  test.each([
    ['null', null, 'none', 'earlier than the request, or empty'],
    ['empty', '', 'none', 'earlier than the request, or empty'],
    ['a millisecond earlier', '2026-06-01T11:59:59.999', 'none', 'earlier than the request, or empty'],
    ['the first moment of the request', '2026-06-01T12:00:00', 'unclear', 'too close to the request, or no time'],
    ['just before its last', '2026-06-01T12:00:09.999', 'unclear', 'too close to the request, or no time'],
    ['its last moment', '2026-06-01T12:00:10', 'applied', 'later than the request'],
    ['no time', 'soon', 'unclear', 'too close to the request, or no time'],
    ['a number', 7, 'unclear', 'too close to the request, or no time'],
  ])('%s', (_, provisionedAt, kind, evidence) => {
    expect(judge(provisionedAt)).toMatchObject({kind, evidence: `1 machine: 1 with a provisionedAt ${evidence}`})
  })

  test('proves nothing where the clock of the service is not known, unless it says no time', () => {
    expect(judge('2030-01-01T00:00:00', 101, null)).toMatchObject({
      kind: 'unclear',
      evidence: '1 machine: 1 whose request has no known time by the clock of the service',
    })
    expect(judge(null, 101, null).kind).toBe('none')
  })

  test('was done by someone else where a value is not as it was sent', () => {
    expect(judge('2026-06-01T13:00:00', 102)).toMatchObject({
      kind: 'unclear',
      evidence: expect.stringContaining('not as sent: done by someone else'),
    })
  })
})

describe('an alert that could be the one that was sent', () => {
  const {probe} = writeOperation('alerts.create')
  if (probe.kind !== 'likeness') throw new Error(`alerts.create has a probe of kind ${probe.kind}`)
  const {like} = probe
  const fact = {key: 'door', value: '1'}
  const alert = {machineId: 5001, code: 'NO_SALES', message: 'm'}
  const found = {...alert, id: 1, raisedAtServerTime: '2026-06-01T12:00:00', alertMetadata: null, isCleared: false}
  const judge = (sent: JsonRecord, now: JsonRecord = {}, more: Partial<SentSet> = {}) =>
    judgeLikeness(sentSet('alerts.create', [{...alert, ...sent}], more), [{...found, ...now}], like)

  test.each([
    ['the same time', {raisedAt: '2026-06-01T12:00:00Z'}, {}, 'applied'],
    ['a time cut to the second', {raisedAt: '2026-06-01T12:00:00.999'}, {}, 'applied'],
    ['a second later', {raisedAt: '2026-06-01T12:00:01'}, {}, 'none'],
    ['a second earlier', {raisedAt: '2026-06-01T11:59:59'}, {}, 'none'],
    ['a time that the service does not keep', {raisedAt: '2026-06-01T12:00:01'}, {raisedAtServerTime: null}, 'applied'],
    ['no time that was sent', {}, {}, 'applied'],
    ['a kept time that is none', {raisedAt: '2026-06-01T12:00:01'}, {raisedAtServerTime: 'soon'}, 'applied'],
    ['another machine', {machineId: 5002}, {}, 'none'],
    ['another message', {message: 'other'}, {}, 'unclear'],
    ['the same fact', {alertMetadata: fact}, {alertMetadata: {...fact, id: 9}}, 'applied'],
    ['another fact', {alertMetadata: fact}, {alertMetadata: {...fact, value: '2'}}, 'none'],
    ['no fact', {alertMetadata: fact}, {}, 'none'],
    ['a fact that was not sent', {}, {alertMetadata: fact}, 'applied'],
  ])('%s', (_, sent, now, kind) => {
    expect(judge(sent, now).kind).toBe(kind)
  })

  test('is no proof where one was sent cleared and is open', () => {
    expect(judge({isCleared: true})).toMatchObject({
      kind: 'unclear',
      rows: [{id: 1, fields: [{field: 'isCleared', expected: true, found: false}]}],
    })
    expect(judge({clearedAt: '2026-06-01T12:00:00'}, {isCleared: true}).kind).toBe('applied')
    expect(judge({}, {isCleared: true}).kind).toBe('applied')
  })

  test('is none that was there before, and proves nothing where not all of those are known', () => {
    expect(judge({}, {}, {known: new Set(['1'])}).kind).toBe('none')
    expect(judge({}, {}, {knowsAll: false})).toMatchObject({
      kind: 'unclear',
      rows: [{index: 0, id: 1}],
      evidence: '1 alert like these found, but there were too many before to know which are new',
    })
  })
})

test('a third value of a record whose earlier values are not known is told without them', () => {
  const set = sentSet('sites.update', [{id: 7, name: 'New'}])

  const judged = judgeFields(set, new Map([['7', {id: 7, name: 'Theirs'}]]))

  expect(judged).toEqual({
    kind: 'unclear',
    rows: [{index: 0, id: 7, fields: [{field: 'name', expected: 'New', before: undefined, found: 'Theirs'}]}],
    evidence: '1 site: 1 not as sent, and how they were before is not known',
  })
})
