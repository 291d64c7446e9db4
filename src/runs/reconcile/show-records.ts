import {
  allFieldsOf,
  type FieldsOfFilters,
  type FilterKey,
  filterOf,
  readOperation,
  writeOperation,
} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import {isRecord, type JsonRecord, parseJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'
import {findRead} from '../plan/read-current.js'
import {naturalKeyOf} from '../plan/row-content.js'
import type {SetInDoubt} from './set-in-doubt.js'

const mostNamed = 50

/** A command that shows the records that a person must look at; none where no read shows them. */
export function showRecords({operation, run, records, report, entry, preimages}: SetInDoubt): string | undefined {
  const {probe, identity, target} = writeOperation(operation)
  if (probe.kind === 'resend') return undefined
  const lines = new Set(report.unclear.map(({line}) => line))
  const odd = records.filter((_, index) =>
    lines.has(run.plan.rows.at(entry.set.places[index] ?? run.plan.rows.length)?.line ?? -1),
  )
  const some = (odd.length > 0 ? odd : records).slice(0, mostNamed)
  const {command} = readOperation(probe.read)
  const dayBefore = Math.floor(run.facts.createdAt / millisecondsPerDay - 1) * millisecondsPerDay
  const start = toDateTime(dayBefore).slice(0, 10)
  if (probe.kind === 'adjustments') {
    const texts = some.flatMap((record) => preimages.get(naturalKeyOf(operation, record) ?? '') ?? [])
    const fields = allFieldsOf(readOperation(probe.read).resource)
    const all = texts.map((text) => parseJson(text)).filter((record) => isRecord(record))
    const before = all.map((record) => Object.fromEntries(spellFields(record, fields)))
    return commandLine(readOperation(probe.trace).command, [], {...toFlags(probe.traced.filters, before), start})
  }
  if (probe.kind !== 'identity' && probe.kind !== 'likeness') {
    return commandLine(command, [], toFlags({[findRead(probe).filter]: target}, some))
  }
  const flags = toFlags(probe.filters, some)
  if (probe.kind === 'identity')
    return commandLine(command, [], {...flags, ...toCondition(identity, probe.filters, some)})
  return commandLine(command, [], {...flags, start})
}

function toFlags(filters: FieldsOfFilters, records: readonly JsonRecord[]): Record<string, string> {
  const named = Object.entries(filters) as [FilterKey, string][]
  return Object.fromEntries(
    named.map(([key, field]) => [
      filterOf(key).flag,
      [...new Set(records.map((record) => idText(record[field])))].join(','),
    ]),
  )
}

/** The rest of the identity of a single record, which no filter takes. */
function toCondition(
  identity: readonly string[],
  filters: FieldsOfFilters,
  [first, ...more]: readonly JsonRecord[],
): {where?: string} {
  const filtered: readonly string[] = Object.values(filters)
  const [rest] = identity.filter((field) => !filtered.includes(field))
  return first && more.length === 0 && rest ? {where: `${rest}=${idText(first[rest])}`} : {}
}
