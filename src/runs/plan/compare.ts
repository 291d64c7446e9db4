import {writeOperation} from '../../contract/index.js'
import {overlaps} from '../../validate/field-names.js'
import {compareTemplates} from '../machines/compare-machines.js'
import {describeMachines} from '../machines/plan-machines.js'
import {type Reader, requestsToRead} from '../records/read-current.js'
import {type CutOptions, cutSets, placesOf} from '../rows/cut-sets.js'
import {mapRows} from '../rows/packed-rows.js'
import {type Compared, cutOf, type Matched, type Sending, type Shown, type Uncut} from '../rows/phases.js'
import {describeUnread, findBlocking} from './check-plan.js'
import {compareDeletions, compareRows} from './compare-rows.js'
import {createPlaces} from './current-cells.js'
import {mergeRows} from './merge-plan.js'

export type CompareOptions = {
  client: Reader
  sending: Sending
  sendUnchanged: boolean
  dryRun?: boolean | undefined
  /** Leaves out rows that delete what an earlier run deleted. */
  leaveOut: (uncut: Uncut) => Promise<Uncut>
}

/**
 * The rows beside the current records: laid over them where a row says a part of its record only, and with what they
 * would change where a dry run asks for that, or where only the records tell what a row says. Reads, and sends nothing.
 */
export async function compare(matched: Matched, options: CompareOptions): Promise<Compared> {
  const {phase: _, found: _found, allowsDamage, longestRecordBytes: longest, last, ...rows} = matched
  const {requests = 0, longestRecordBytes, fresh, ...shown} = await look(matched, options)
  const uncut = {
    ...{...rows, sending: options.sending, comparison: null, before: null, readAt: null, problems: [], dates: null},
    ...shown,
    reads: rows.reads + requests,
    notices: [...rows.notices, ...(shown.notices ?? [])],
    remarks: [...rows.remarks, ...(shown.remarks ?? [])],
  }
  const left = await options.leaveOut(uncut)
  const isAsChecked = left.rows === matched.rows
  return toCompared(withUnseen(withDoubted(withoutUnknown(left))), {
    ...{allowsDamage, last, fresh},
    longestRecordBytes: longestRecordBytes ?? (isAsChecked ? longest : Number.POSITIVE_INFINITY),
  })
}

type ToCut = Partial<Pick<Matched, 'allowsDamage' | 'longestRecordBytes' | 'last'>> & Pick<CutOptions, 'fresh'>

/** The rows in sets, with the problems that only their records show. */
export function toCompared(uncut: Uncut, {allowsDamage = null, longestRecordBytes, last, fresh}: ToCut = {}): Compared {
  const {operation, sending, problems} = uncut
  return {
    ...uncut,
    phase: 'compared',
    sets: cutSets(uncut.rows, {...cutOf(operation, sending), longestRecordBytes, last, fresh}),
    problems: [...problems, ...findBlocking(uncut, allowsDamage)],
    moves: [],
    totals: [],
  }
}

/** A column that is no field changes nothing: it stops the run. */
function withoutUnknown(uncut: Uncut): Uncut {
  const {comparison, doubts} = uncut
  const unknown = doubts.flatMap(({code, columnName}) => (code === 'UNKNOWN_COLUMN' ? (columnName ?? []) : []))
  if (!comparison || unknown.length === 0) return uncut
  const changes = comparison.changes.filter(({field}) => !unknown.some((name) => overlaps(field, name)))
  return {...uncut, comparison: {...comparison, changes}}
}

/** A row with a problem is not unchanged: what it would change is not known. */
function withDoubted(uncut: Uncut): Uncut {
  const {comparison, doubts} = uncut
  if (doubts.length === 0) return uncut
  const doubted = new Set(doubts.flatMap(createPlaces(uncut.rows)))
  let found = 0
  const rows = mapRows(uncut.rows, (row, place) => {
    if (row.skip !== 'unchanged' || !doubted.has(place)) return row
    found++
    const {skip: _, ...sent} = row
    return sent
  })
  return {...uncut, rows, comparison: comparison && {...comparison, unchanged: comparison.unchanged - found}}
}

/** With a notice about the rows whose record was not found, where the write only deletes. */
function withUnseen(uncut: Uncut): Uncut {
  if (writeOperation(uncut.operation).deletes !== 'all') return uncut
  return {...uncut, notices: [...uncut.notices, ...describeUnread(uncut)]}
}

async function look(matched: Matched, options: CompareOptions): Promise<Shown> {
  const {client, dryRun = false} = options
  const {operation, rows, merges, found} = matched
  const {body, merge, deletes, probe} = writeOperation(operation)
  if (rows.length === 0) return {}
  if (probe.kind === 'template') return compareTemplates(matched, options)
  if (probe.kind === 'moment') return describeMachines(matched, probe.read, client)
  if (merges) return mergeRows(matched, options)
  if (deletes === 'all') return compareDeletions(matched, client)
  if (body === 'create') return {}
  if (merge !== 'none' || probe.kind === 'endState') return compareUpdates(matched, options)
  return dryRun || found ? withUnread(matched, await compareRows(matched, client), dryRun) : {}
}

/** Rows that are sent unmerged, without those that change nothing. */
async function compareUpdates(
  matched: Matched,
  {client, sendUnchanged, dryRun = false}: CompareOptions,
): Promise<Shown> {
  const asked = placesOf(matched.rows, (skip) => skip === undefined).length
  if (asked === 0) return {}
  const shown = await compareRows(matched, client, !sendUnchanged)
  return {...withUnread(matched, shown, dryRun), requests: matched.found ? 0 : requestsToRead(asked)}
}

function withUnread({operation, rows}: Matched, shown: Shown, dryRun: boolean): Shown {
  const {before = null} = shown
  return dryRun ? shown : {...shown, notices: describeUnread({operation, rows: shown.rows ?? rows, before})}
}
