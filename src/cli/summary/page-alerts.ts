import type {FilterValues, Page} from '../../client/types.js'
import {
  alertCodeList,
  alertList,
  filterKeysOf,
  filterOf,
  isStop,
  type ReadId,
  readOperation,
  transactionReport,
} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {toCellText} from '../../formats/flatten.js'
import type {PageAlert} from '../../formats/write/html/page-data.js'
import type {PageFacts} from '../../reports/summary/summary-page-facts.js'
import type {JsonRecord} from '../../values/json.js'

/** The part of a client that reads lists. */
export type AlertReader = {
  readPages(id: ReadId, request: {filters: FilterValues}): AsyncIterable<Pick<Page, 'records' | 'served'>>
}
type AlertSource = {opened: {client: AlertReader}; filters: FilterValues}
type Found = {notes: PageFacts['notes']; alerts?: Omit<NonNullable<PageFacts['alerts']>, 'command'>}

/**
 * Open alerts of the same sites and machines: one read of the list, and one of the codes when there are any. The figures
 * stand without them, so a read that fails is a note; a command that was stopped ends.
 */
export async function findAlerts({opened: {client}, filters}: AlertSource): Promise<Found> {
  const unknown = findUnknown(filters)
  if (unknown !== undefined)
    return {notes: [`Open alerts are not shown: they cannot be narrowed by --${filterOf(unknown).flag}.`]}
  try {
    const {codes, raisedFrom} = await readOpen(client, filters)
    const meanings = codes.length > 0 ? await readMeanings(client) : new Map<string, string>()
    const alerts = codes.map((each) => toAlert(each, meanings)).sort((one, other) => other.open - one.open)
    return {alerts: {...(raisedFrom !== undefined && {raisedFrom}), codes: alerts}, notes: []}
  } catch (error) {
    if (!(error instanceof CliFailure) || isStop(error.exit)) throw error
    return {notes: [`Open alerts are not shown: ${error.message}`]}
  }
}

/** A filter of the report that the list of alerts does not know. */
function findUnknown(filters: FilterValues) {
  const known: readonly string[] = filterKeysOf(readOperation(alertList))
  return filterKeysOf(readOperation(transactionReport)).find(
    (key) => filters[key] !== undefined && !known.includes(key),
  )
}

async function readOpen(client: AlertReader, filters: FilterValues) {
  const codes = new Map<string, Open>()
  let raisedFrom: string | undefined
  for await (const {records, served} of client.readPages(alertList, {filters})) {
    raisedFrom ??= served.start
    for (const record of records) if (record['isCleared'] === false) addAlert(codes, record)
  }

  return {codes: [...codes.values()], raisedFrom}
}

async function readMeanings(client: AlertReader): Promise<Map<string, string>> {
  const meanings = new Map<string, string>()
  for await (const {records} of client.readPages(alertCodeList, {filters: {}})) {
    for (const {code, description} of records) {
      if (typeof code === 'string' && typeof description === 'string') meanings.set(code, description)
    }
  }

  return meanings
}

type Open = {code: string; machines: Set<string>; open: number; oldest: string | null}

function addAlert(codes: Map<string, Open>, record: JsonRecord): void {
  const textOf = (field: string) => toCellText(record[field]) ?? null
  const code = textOf('code') ?? ''
  const found: Open = codes.get(code) ?? {code, machines: new Set(), open: 0, oldest: null}
  codes.set(code, found)
  const raisedAt = textOf('raisedAt')
  found.open++
  found.machines.add(textOf('machineId') ?? '')
  if (raisedAt !== null && (found.oldest === null || raisedAt < found.oldest)) found.oldest = raisedAt
}

function toAlert({code, machines, open, oldest}: Open, meanings: ReadonlyMap<string, string>): PageAlert {
  return {code, meaning: meanings.get(code) ?? null, open, machines: machines.size, oldest}
}
