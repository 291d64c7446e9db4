import {writeOperation} from '../../contract/index.js'
import {readMatchingAlerts} from '../plan/matching-alerts.js'
import {readMatchingSites} from '../plan/matching-sites.js'
import {type CurrentRecords, type Reader, readCurrent, spanOfRecord} from '../plan/read-current.js'
import type {LoadedPart, LoadedRun} from '../resume/load-run.js'
import {judgeAlerts} from './judge-alerts.js'
import {judgeChange} from './judge-change.js'
import {judgeClear} from './judge-clear.js'
import {judgeSites} from './judge-sites.js'
import type {Judgement, Sent} from './judgement.js'
import {knownIdsOf, recordsBefore} from './known.js'

export type Probing = {
  client: Reader
  run: LoadedRun
  part: LoadedPart
  preimages: ReadonlyMap<string, string>
  /** Milliseconds since 1970. */
  now: number
}

/** Looks once at the records of a set. Throws a `CliFailure` when the look proves nothing. */
export async function probe(probing: Probing, records: Sent['records']): Promise<Judgement> {
  const {client, run, now} = probing
  const {operation} = run.plan
  const sent = toSentSet(probing, records)
  switch (operation) {
    case 'sites.create':
      return judgeSites(sent, (await readMatchingSites(client, records)).records)
    case 'alerts.create': {
      const {records: found} = await readMatchingAlerts(client, records, {from: run.facts.createdAt, to: now})
      return judgeAlerts(sent, found)
    }
    case 'sites.update':
    case 'alerts.update':
      return judgeChange(writeOperation(operation), sent, await readNow(probing, sent))
    case 'alerts.clear':
      return judgeClear(sent, await readNow(probing, sent))
    case 'machines.custom-data.create':
      throw new TypeError('custom data cannot be read')
  }
}

/** Records that were read before lie where they lay; so one that is not found there is gone. */
async function readNow({client, run, now}: Probing, {records, before}: Sent): Promise<CurrentRecords['records']> {
  const ids = records.map(({id = null}) => id)
  const spanOf = (key: string) => spanOfRecord(before.get(key))
  return (await readCurrent(client, writeOperation(run.plan.operation), ids, {now, spanOf})).records
}

function toSentSet({run, part, preimages}: Probing, records: Sent['records']): Sent {
  return {
    records,
    before: recordsBefore(run.plan.operation, records, preimages),
    known: knownIdsOf(run, part, preimages),
    whole: run.facts.preimages === 'whole',
  }
}
