import {expect, test} from 'vitest'
import {
  type Approval,
  approvalName,
  findObjection,
  parseApproval,
  printApproval,
  textToSign,
} from '../../../src/runs/plan/approval.js'

const now = Date.UTC(2026, 10, 26, 12)
const approval: Approval = {
  ...{schema: approvalName, plan: 'ab', baseUrl: 'https://service.example', stage: 'v2.1', key: 'c0cd8c39'},
  ...{by: 'ada@till', approved: '2026-11-26T11:00:00.000Z', expires: '2026-11-27T11:00:00.000Z'},
}
const toSend = {plan: 'ab', baseUrl: 'https://service.example', stage: 'v2.1', key: 'c0cd8c39', now}

test('an approval is read as it was written', () => {
  const signed = {approval, kind: 'machine', signature: 'mac'} as const
  expect(parseApproval(printApproval(signed), 'p.approval')).toEqual(signed)
  expect(textToSign(parseApproval(printApproval(signed), 'p.approval').approval)).toBe(textToSign(approval))
})

test.each([
  ['{', 'text that is cut off'],
  ['[]', 'a list'],
  [printApproval({approval, kind: 'machine', signature: 'mac'}).replace('approval/1', 'approval/2'), 'a later version'],
  [printApproval({approval, kind: 'machine', signature: 'mac'}).replace('"machine"', '"nobody"'), 'another signature'],
])('%j is no approval: %s', (text) => {
  expect(() => parseApproval(text, 'p.approval')).toThrow('p.approval is no approval of this version')
})

test('it lets its plan be sent to its service with its key, until it expires', () => {
  expect(findObjection(approval, toSend)).toBeUndefined()
  expect(findObjection({...approval, key: null}, {...toSend, key: 'ffffffff'})).toBeUndefined()
  expect(findObjection(approval, {...toSend, now: Date.parse(approval.approved) - 300_000})).toBeUndefined()
})

test.each([
  [{plan: 'cd'}, 'it is of another plan, or the plan was changed since'],
  [{baseUrl: 'https://other.example'}, 'it is for https://service.example (v2.1)'],
  [{stage: 'dev'}, 'it is for https://service.example (v2.1)'],
  [{key: 'ffffffff'}, 'it is for the key c0cd8c39, not for ffffffff'],
  [{now: Date.parse(approval.expires)}, 'it expired at 2026-11-27T11:00:00.000Z'],
  [
    {now: Date.parse(approval.approved) - 300_001},
    'it is of 2026-11-26T11:00:00.000Z, which is still to come by this clock',
  ],
])('it says why not, of %j', (other, why) => {
  expect(findObjection(approval, {...toSend, ...other})).toBe(why)
})

test('a time that is none never lets a plan be sent', () => {
  expect(findObjection({...approval, expires: 'soon'}, toSend)).toBe('it expired at soon')
  expect(findObjection({...approval, approved: 'now'}, toSend)).toContain('still to come')
})
