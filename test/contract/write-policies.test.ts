import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {
  allFieldsOf,
  type FilterKey,
  filterKeysOf,
  filters,
  findReadOf,
  isWriteId,
  readOperation,
  type Write,
  writeIds,
  writeOperation,
} from '../../src/contract/index.js'
import {fieldAt} from './look.js'

const writes = writeIds.map((id): [string, Write] => [id, writeOperation(id)])
const idsOf = (wrong: [string, Write][]) => wrong.map(([id]) => id)

test('a probe filters by filters of its read, with values of fields that are sent', () => {
  const wrong = writes.filter(([, {probe, resource}]) => {
    if (!('filters' in probe) || !probe.filters) return false
    const keys = filterKeysOf(readOperation(probe.read))
    const used = Object.entries(probe.filters)
    return used.some(([key, field]) => !keys.includes(key as FilterKey) || !allFieldsOf(resource)[field])
  })

  expect(idsOf(wrong)).toEqual([])
})

test('new records are probed by identity or likeness, changed ones by what they are now, deleted ones by their absence', () => {
  const kinds = {
    create: ['identity', 'likeness', 'resend'],
    update: ['fields', 'adjustments', 'current'],
    delete: ['gone'],
    none: ['endState', 'template', 'moment'],
  }

  expect(idsOf(writes.filter(([, {body, probe}]) => !kinds[body].includes(probe.kind)))).toEqual([])
})

test('what a probe of new records or changed records needs is read before', () => {
  const needed = {
    identity: 'ids',
    likeness: 'ids',
    fields: 'records',
    adjustments: 'records',
    current: 'records',
    gone: 'records',
    endState: 'records',
    template: 'none',
    moment: 'none',
    resend: 'none',
  }

  expect(idsOf(writes.filter(([, {probe, preimage}]) => preimage !== needed[probe.kind]))).toEqual([])
})

test('the fields of an end state exist, and where records end it is stated', () => {
  const wrong = writes.filter(([, {probe, endState, resource}]) => {
    if (!endState) return probe.kind === 'endState'
    const {flag, time, kept} = endState
    return [flag, time, kept].some((field) => !fieldAt(allFieldsOf(resource), field))
  })

  expect(idsOf(wrong)).toEqual([])
})

test('a refusal as a duplicate is one that the operation may answer', () => {
  const wrong = writes.filter(([, {duplicateCode, refuses}]) => duplicateCode && !refuses.includes(duplicateCode))

  expect(idsOf(wrong)).toEqual([])
})

test('updates are undone by an update of the same resource, and creates by what deletes it, where something does', () => {
  const deletes = (resource: string) => writes.some(([, one]) => one.resource === resource && one.deletes !== 'none')
  const wrong = writes.filter(([, {body, undo, resource}]) => {
    if ('never' in undo) return body === 'update' || (body === 'create' && deletes(resource))
    const inverse = isWriteId(undo.by) ? writeOperation(undo.by) : undefined
    if (inverse?.resource !== resource) return true
    return body === 'create' ? inverse.deletes === 'none' : body !== 'update' || inverse.body !== 'update'
  })

  expect(idsOf(wrong)).toEqual([])
})

test('a write that replaces records can be told to send exactly the file', () => {
  const {commands} = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
  const hasFlag = ({command}: Write) => Object.hasOwn(commands[command.replaceAll(' ', ':')].flags, 'replace')

  expect(idsOf(writes.filter(([, write]) => hasFlag(write) !== (write.merge === 'full-replace')))).toEqual([])
})

test('records that a filter names can be found by it', () => {
  const named = Object.entries(filters).filter(([, {kind, names}]) => names !== null && kind === 'integers')
  const lost = named.filter(([key]) => {
    const read = findReadOf(key as FilterKey)
    return !read || !filterKeysOf(readOperation(read)).includes(key as FilterKey)
  })

  expect(lost.map(([key]) => key)).toEqual([])
})
