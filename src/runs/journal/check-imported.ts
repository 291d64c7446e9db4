import {toWriteBody} from '../../client/request.js'
import {allFieldsOf, isWriteId, stages, useOf, type Write, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import {contentDigest, naturalKeyOf} from '../check/row-content.js'
import {digestText} from '../earlier-runs/row-keys.js'
import {findField, isNeverSent} from '../plan/merge.js'
import type {LoadedRun} from '../resume/left-sets.js'
import {loadRun, recordsOf} from '../resume/load-run.js'
import {toSent} from '../send/to-sent.js'
import type {Journal} from './journal.js'
import type {RunFacts} from './run-facts.js'
import {isRunId} from './run-folder.js'

/** Checks that an imported journal would send what its rows hold and its operation takes. Throws `storage`. */
export function checkImported(journal: Journal): void {
  const loaded = loadRun(journal)
  if (!isKnown(loaded.facts)) throw unfit('names a run, an operation or a stage that does not exist')
  if (!hasFitBodies(journal, loaded)) throw unfit(`would send records that ${loaded.facts.operation} does not take`)
  if (!hasSameRows(journal, loaded)) throw unfit('would send other records than its rows hold')
}

function isKnown({id, operation, stage, continues = [], continuedBy = id, undoes = id, undoneBy = []}: RunFacts) {
  const ids = [id, ...continues, continuedBy, undoes, ...undoneBy]
  return ids.every(isRunId) && isWriteId(operation) && Object.hasOwn(stages, stage)
}

function hasFitBodies(journal: Journal, {plan, parts}: LoadedRun): boolean {
  const operation: Write = writeOperation(plan.operation)
  return parts.every(({part}) => {
    const body = journal.bodyOf(part.seq)
    const records = recordsOf(plan.operation, body)
    const isSame = toWriteBody(toSent(plan.operation, records)) === body
    return isSame && (operation.body === 'none' || records.every((record) => isTaken(record, operation)))
  })
}

/** Whether a record has the fields that an operation needs, and none that the service sets itself. */
function isTaken(record: JsonRecord, operation: Write): boolean {
  const use = useOf(operation)
  const fields = allFieldsOf(operation.resource)
  const needed = Object.entries(fields).filter(([, {required}]) => required?.includes(use))
  return (
    needed.every(([name]) => Object.hasOwn(record, name)) &&
    Object.keys(record).every((name) => !isNeverSent(findField(fields, name), use))
  )
}

function hasSameRows(journal: Journal, {plan, parts}: LoadedRun): boolean {
  const sent = new Set(parts.flatMap(({set}) => set.places))
  for (const {place, digest, naturalKey} of journal.rows()) {
    if (!sent.has(place)) continue // another run applied it, or nothing of it changes
    const {record = {}, given = record} = plan.rows.at(place) ?? {}
    const isSame = digestText(contentDigest(given)) === digestText(digest)
    if (!isSame || naturalKeyOf(plan.operation, record) !== naturalKey) return false
  }
  return true
}

function unfit(why: string): CliFailure {
  return new CliFailure(`The journal ${why}; nothing was imported.`, {
    code: 'STATE_DAMAGED',
    exit: 'storage',
    hints: ['Export the run again on the machine that it comes from.'],
  })
}
