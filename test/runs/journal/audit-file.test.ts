import {appendFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type AuditEntry, appendAudit, readAudit, tidyAudit} from '../../../src/runs/journal/audit-file.js'
import {makeFolder} from '../../support/folder.js'

const facts = {host: null, user: 'ann', command: null, file: 'a.csv', digest: null, approvedBy: null}
const fates = {applied: 2, refused: 0, rolledBack: 0, inDoubt: 0, unsent: null, unchanged: 1}
const entryOf = (time: string, runId: string) => ({...facts, ...fates, time, runId}) as unknown as AuditEntry

test('an audit keeps every entry, counts what was damaged, and drops whole months', () => {
  const folder = makeFolder()
  const runs = {path: join(folder, 'runs')} as Parameters<typeof readAudit>[0]
  const [june, july] = [entryOf('2024-06-30T23:00:00Z', 'one'), entryOf('2024-07-01T01:00:00Z', 'two')]
  appendAudit(runs, june)
  appendFileSync(join(folder, 'audit', '2024-06.ndjson'), '{"time":"2024-06-30T2')
  appendAudit(runs, july)

  expect(readAudit(runs)).toEqual({entries: [june, july], damaged: 1})

  tidyAudit(runs, Date.parse('2024-07-15T00:00:00Z'))
  expect(readAudit(runs)).toEqual({entries: [july], damaged: 0})
})
