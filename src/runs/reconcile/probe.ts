import {allFieldsOf, type Probe, readOperation, type WriteId, writeOperation} from '../../contract/index.js'
import {isRecord, type JsonRecord, parseJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {answerOf, type LoadedPart, type LoadedRun} from '../journal/load-run.js'
import {readSelections, readTemplates} from '../machines/read-selections.js'
import {type CurrentRecords, readCurrent, spanOfRecord} from '../records/read-current.js'
import {readSimilar} from '../records/similar-records.js'
import {recordsOfSet, rowsOfSet} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import {filtersOf, foldId, idOf, naturalKeyOf, operationOfSet} from '../rows/row-content.js'
import {
  type Assigned,
  judgeCurrent,
  judgeEndState,
  judgeFields,
  judgeGone,
  judgeIdentity,
  judgeTemplate,
  type Listed,
  saysDeleted,
} from './judge-fields.js'
import {judgeLikeness} from './judge-likeness.js'
import {createFindSent, type FindSent, judgeMoment, type Moments} from './judge-moment.js'
import type {Judgement, SentSet} from './judgement.js'
import {type Probing as ProbingChanges, probeAdjustments} from './probe-adjustments.js'
import type {SetInDoubt} from './set-in-doubt.js'

type ByMoment = Extract<Probe, {kind: 'moment'}>

type Probing = ProbingChanges & {
  preimages: ReadonlyMap<string, string>
  /** When the set was sent, by the clock of the service. */
  findSent: FindSent
}

/** Reads the records of a set in doubt once, as `probe` does. */
export function probeSet(context: SetInDoubt): Promise<Judgement> {
  const {options, run, entry, preimages, records} = context
  const {client, clock} = options
  return probe({client, run, part: entry, preimages, now: clock.now(), findSent: createFindSent(context)}, records)
}

/** Reads the records of a set once, and says what that proves. Throws a `CliFailure` when the read proves nothing. */
async function probe(probing: Probing, records: readonly JsonRecord[]): Promise<Judgement> {
  const sent = toSentSet(probing, records)
  const kind = sent.write.probe
  switch (kind.kind) {
    case 'identity':
      return judgeIdentity(sent, await readCreated(probing, sent))
    case 'likeness':
      return judgeLikeness(sent, await readCreated(probing, sent), kind.like)
    case 'fields':
      return judgeFields(sent, await readChanged(probing, sent))
    case 'endState':
      return judgeEndState(sent, await readChanged(probing, sent))
    case 'moment':
      return judgeMoment(sent, await readMoments(probing, sent, kind))
    case 'template':
      return judgeTemplate(sent, await readAssigned(probing, sent))
    case 'gone':
      return judgeGone(sent, await readDeleted(probing, sent))
    case 'adjustments':
      return probeAdjustments(probing, kind, sent, (part) =>
        toSentSet({...probing, part}, recordsOfSet(probing.run.plan.rows, part.set)),
      )
    case 'current':
      return judgeCurrent(sent, await readChanged(probing, sent), kind)
    case 'resend':
      throw new TypeError('no read shows the records of this write')
  }
}

/** From the earlier of both clocks on: that of this machine may have been wrong when the run began. */
async function readCreated({client, run, now}: Probing, {write, records}: SentSet): Promise<JsonRecord[]> {
  const {createdAt, clocks: [first] = []} = run.facts
  const from = Math.min(createdAt, first?.service ?? createdAt, now)
  return (await readSimilar(client, write, records, {from, to: now})).records
}

/** Records that were read before lie where they lay; so one that is not found there is gone. */
async function readChanged({client, now}: Probing, sent: SentSet): Promise<CurrentRecords['records']> {
  const {write, records, before} = sent
  const ids = records.map((record) => idOf({record}, write))
  const spanOf = (key: string) => spanOfRecord(write, before.get(key))
  return (await readCurrent(client, write, ids, {now, spanOf})).records
}

/** The records by what names them, and the sending by the clock of the service that read them. */
async function readMoments({client, findSent}: Probing, {write, records}: SentSet, {read, filters, field}: ByMoment) {
  const found: Moments = {records: new Map(), field, sent: undefined}
  for await (const page of client.readPages(read, {filters: filtersOf(filters, records)})) {
    found.sent ??= findSent(page.serverTime)
    for (const record of page.records) {
      const spelled = spellRecord(record, allFieldsOf(readOperation(read).resource))
      found.records.set(foldId(spelled[write.target]), spelled)
    }
  }

  return found
}

/** Where deleted records say so themselves, one list is enough. */
async function readDeleted({client}: Probing, sent: SentSet): Promise<Listed> {
  const {write, records} = sent
  const ids = records.map(({[write.target]: id = null}) => id)
  const {records: all} = await readCurrent(client, write, ids, {deletedToo: true})
  const undeleted = ids.filter((id) => all.has(idText(id)) && !saysDeleted(sent, idText(id), {all}))
  return {all, plain: (await readCurrent(client, write, undeleted)).records}
}

/** The selections of the machines of a set, and the templates that it names. */
async function readAssigned({client}: Probing, {write, records}: SentSet): Promise<Assigned> {
  const templates = await readTemplates(client, write, records)
  const machines = await readSelections(client, write, records)
  return {templates: templates.groups, machines: machines.groups}
}

function toSentSet({run, part, preimages}: Probing, records: readonly JsonRecord[]): SentSet {
  const operation = operationOfSet(run.plan, part.set)
  const write = writeOperation(operation)
  return {
    write,
    records,
    given: rowsOfSet(run.plan.rows, part.set).map(({given}) => given),
    before: write.body === 'create' ? new Map() : recordsBefore(operation, records, preimages),
    known: write.body === 'create' ? knownIdsOf(run, part, preimages) : new Set(),
    knowsAll: run.facts.preimages === 'whole',
  }
}

/** Records before they were changed, by the digits of their ids. */
function recordsBefore(
  operation: WriteId,
  records: readonly JsonRecord[],
  preimages: ReadonlyMap<string, string>,
): Map<string, JsonRecord> {
  const write = writeOperation(operation)
  const before = new Map<string, JsonRecord>()
  for (const record of records) {
    const text = preimages.get(naturalKeyOf(operation, record) ?? '')
    const value = text === undefined ? undefined : parseJson(text)
    if (isRecord(value)) before.set(idText(idOf({record}, write)), value)
  }

  return before
}

/** Ids that no record of this set can have: they were there before, or other sets of the run made them. */
function knownIdsOf({parts}: LoadedRun, {part}: LoadedPart, preimages: ReadonlyMap<string, string>): Set<string> {
  const known = new Set(preimages.keys())
  for (const other of parts) {
    const answer = other.part.seq === part.seq ? undefined : answerOf(other.part)
    if (answer?.fate === 'applied') for (const id of answer.ids) known.add(idText(id))
  }

  return known
}
