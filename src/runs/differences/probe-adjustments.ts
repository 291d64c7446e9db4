import {allFieldsOf, changedResource, readOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'
import type {Reader} from '../plan/read-at-most.js'
import type {Judgement, SentSet} from '../reconcile/judgement.js'
import type {LoadedPart, LoadedRun} from '../resume/left-sets.js'
import {sentByService} from '../send/clock-readings.js'
import {toInteger} from './changes.js'
import {
  type Changes,
  findSelf,
  judgeAdjustments,
  keyInTrace,
  type SentChange,
  toAdjustments,
} from './judge-adjustments.js'
import {noTime, readTrace, type TraceProbe} from './read-trace.js'

export type Probing = {
  client: Reader
  run: LoadedRun
  part: LoadedPart
  /** About the present. */
  now: number
}

/** A set that was sent, its rows, and the records that they change as they were before, by the digits of their ids. */
export type TracedSet = Pick<SentSet, 'write' | 'records' | 'before'>

export type Since = {notBefore: number; isClose: boolean}

/** The clock that stamps a change may round to whole seconds, and the one of the answers may be another one's. */
const slackMilliseconds = 2_000

/** A set that was applied left its changes by then. */
const appliedMilliseconds = 3_600_000

/** Looks for the changes of a set since it was sent. Throws a `CliFailure` when what is read proves nothing. */
export async function probeAdjustments(
  probing: Probing,
  probe: TraceProbe,
  set: TracedSet,
  ofPart: (part: LoadedPart) => TracedSet,
): Promise<Judgement> {
  const {part, run} = probing
  const since = sinceOf(probing, part)
  const changes = await readChanges(probing, probe, set, {from: since.notBefore - slackMilliseconds})
  const control = await readControl(probing, probe, ofPart)
  const {isShown = true, self} = control ? findSelf(control) : {}
  const noun = readNoun(probe)
  const judgement = judgeAdjustments(changes, {self, since: toTimeText(since.notBefore), noun})
  if (judgement.kind === 'none' && !isShown) throw lacksKnown(run.facts.id)
  return judgement
}

function readNoun({read}: TraceProbe): string {
  return readOperation(read).resource
}

/** When a part was sent, by the clock of the service. Throws a `CliFailure` when that is not known. */
function sinceOf({run}: Pick<Probing, 'run'>, {part}: LoadedPart): Since {
  const since = sentByService(part, run.facts)
  if (since) return since
  throw noTime()
}

/** The changes of a set in the trace. */
async function readChanges(
  {client, now}: Pick<Probing, 'client' | 'now'>,
  probe: TraceProbe,
  {write, records, before}: TracedSet,
  range: {from: number; to?: number},
): Promise<Changes> {
  const fields = allFieldsOf(changedResource(write))
  const known = new Map([...before].map(([id, record]) => [id, Object.fromEntries(spellFields(record, fields))]))
  const trace = await readTrace(client, probe, {of: [...known.values()], ...range}, now)
  const time = readOperation(probe.trace).range?.on ?? ''
  const sent = records.map((record) => ({
    id: record[write.target] ?? null,
    key: keyInTrace(known.get(idText(record[write.target])), probe.traced),
    size: toInteger(record[write.difference?.by ?? '']),
  }))
  return {sent, found: toAdjustments(trace, probe.traced, time)}
}

/** The changes of the last set of the run that the service answered: they tell who made them, and that the trace shows them. */
async function readControl(
  probing: Probing,
  probe: TraceProbe,
  ofPart: (part: LoadedPart) => TracedSet,
): Promise<Changes | undefined> {
  const part = probing.run.parts.findLast(({part}) => part.state === 'confirmed' && part.how === 'answer')
  return part && readApplied({...probing, part}, probe, ofPart(part))
}

/** The changes of a set that was applied, soon after it was sent where that moment is known. */
function readApplied(probing: Probing, probe: TraceProbe, set: TracedSet): Promise<Changes> {
  const {notBefore, isClose} = sinceOf(probing, probing.part)
  const from = notBefore - slackMilliseconds
  return readChanges(probing, probe, set, {from, ...(isClose && {to: from + appliedMilliseconds})})
}

/** The ids of rows of an applied set whose change by a person the trace shows, of the size that was sent. */
export async function readShown(probing: Probing, set: TracedSet): Promise<JsonValue[]> {
  const {probe} = set.write
  if (probe.kind !== 'adjustments') return []
  const {sent, found} = await readApplied(probing, probe, set)
  const isShown = ({key, size}: SentChange) => found.some((one) => one.key === key && one.size === size)
  return sent.filter(isShown).map(({id}) => id)
}

function lacksKnown(id: string): CliFailure {
  return new CliFailure(
    `The report of changes does not show those of another set of run ${id}, which the service answered.`,
    {
      code: 'TRACE_INCOMPLETE',
      exit: 'incomplete',
    },
  )
}
