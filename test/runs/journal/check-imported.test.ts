import {describe, expect} from 'vitest'
import {toWriteBody} from '../../../src/client/request.js'
import {contentDigest} from '../../../src/runs/check/row-content.js'
import {checkImported} from '../../../src/runs/journal/check-imported.js'
import {createJournal} from '../../../src/runs/journal/open-journal.js'
import type {RunFacts} from '../../../src/runs/journal/run-facts.js'
import type {RunFolder} from '../../../src/runs/journal/run-folder.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {factsOf, test, times} from './a-run.js'

const alert = {machineId: 5001, code: 'CJ', message: 'Jam'}

/** The journal of a run of one row, with every checksum right. */
function journalOf(folder: RunFolder, sent: JsonRecord, more: Partial<RunFacts>, held = sent) {
  const row = {
    place: 0,
    line: 2,
    digest: contentDigest(held),
    naturalKey: null,
    id: null,
    skip: null,
    given: null,
    by: null,
  }
  const part = {parent: null, number: 1, places: [0], origin: '{}', body: toWriteBody({records: [sent]})}
  return createJournal(folder, factsOf({rows: 1, ...more}), {rows: [row], parts: [part]}, times).journal
}

const alerts = {operation: 'alerts.create', command: 'alerts create'}

describe('a journal of elsewhere', () => {
  test('is taken when it would send what its rows hold', ({folder}) => {
    const journal = journalOf(folder, alert, alerts)

    checkImported(journal)

    journal.close()
  })

  test.for([
    ['another record than its row holds', {...alert, message: 'Fire'}, alerts, 'other records than its rows'],
    ['the records of another operation', alert, {operation: 'sites.create'}, 'that sites.create does not take'],
    ['records where ids belong', alert, {operation: 'alerts.clear'}, 'damaged'],
    ['a field that the service sets', {...alert, id: 7}, alerts, 'that alerts.create does not take'],
    ['to a stage that does not exist', alert, {...alerts, stage: 'v9'}, 'does not exist'],
    ['for a run whose name is a path', alert, {...alerts, continues: ['../x']}, 'does not exist'],
  ] as const)('is refused when it would send %s', ([, sent, more, why], {folder}) => {
    const held = more === alerts && !('id' in sent) ? alert : sent
    const journal = journalOf(folder, sent, more as Partial<RunFacts>, held)

    expect(() => checkImported(journal)).toThrow(
      expect.objectContaining({exit: 'storage', message: expect.stringContaining(why)}),
    )
    journal.close()
  })
})
