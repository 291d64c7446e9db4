import {allFieldsOf, changedResource, type Write} from '../../contract/index.js'
import type {FieldPlace} from '../../validate/field-names.js'
import type {Finding} from '../../validate/problem.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Reader} from '../plan/read-at-most.js'
import {findRead} from '../plan/read-current.js'
import {describePairs, describeSeveral, findDifference, findMissing, type Pair} from './describe-named.js'
import type {FindByKey} from './find-by-key.js'
import {isGiven, type Naming, spellRecord, valueIn} from './naming.js'
import {readNamed} from './read-named.js'

/**
 * Fills in the ids of the records that rows name by some columns, and gives back these records as they are, by the
 * digits of their ids. No record, or several, is a problem of the row.
 */
export async function matchRecords(
  naming: Naming,
  write: Write,
  match: readonly FieldPlace[],
  client: Reader,
): Promise<ReadonlyMap<string, JsonRecord>> {
  const names = match.map(({name}) => name)
  const current = new Map<string, JsonRecord>()
  const rows = naming.rows.filter(({record}) => names.every((name) => isGiven(valueIn(record, name))))
  if (rows.length === 0) return current
  const wanted = names.map((name) => [name, rows.map(({record}) => valueIn(record, name) ?? null)] as const)
  const {records, requests} = await readNamed(client, findRead(write.probe).id, new Map(wanted))
  naming.requests += requests
  const {target} = write
  const resource = changedResource(write)
  const fields = allFieldsOf(resource)
  const find = createSearch(
    records.map((record) => spellRecord(record, fields)),
    {write, match, toFinder: naming.toFinder},
  )
  for (const row of rows) {
    const {record} = row
    const pairs = names.map((name): Pair => [name, valueIn(record, name) ?? null])
    const {found, near, done} = find(pairs)
    const [first] = found
    const [[name, cell] = ['', null]] = pairs
    const given = record[target] ?? null
    const id = first?.['id'] ?? null
    if (!first) naming.report(row, name, {...findNone(write, pairs, near, done), cell})
    else if (found.length > 1) naming.report(row, name, {...findSeveral(write, pairs, found), cell})
    else if (isGiven(given) && idText(given) !== idText(id)) {
      const message = `${idText(given)}, but ${describePairs(pairs)} is ${resource} ${idText(id)}`
      naming.report(row, target, {code: 'CONTRADICTION', message, kind: message, cell: given})
    } else {
      naming.fill(row, target, id)
      current.set(idText(id), first)
    }
  }

  return current
}

type Matches = {found: readonly JsonRecord[]; near: readonly JsonRecord[]; done: readonly JsonRecord[]}

type Search = {write: Write; match: readonly FieldPlace[]} & Pick<Naming, 'toFinder'>

/** Of a write that only brings records to their end state, those that have reached it are not meant. */
function createSearch(records: readonly JsonRecord[], {write, match, toFinder}: Search) {
  const {body, endState} = write
  const isDone = (record: JsonRecord) => body === 'none' && endState !== null && record[endState.flag] === true
  const find = toFinder(
    records.filter((record) => !isDone(record)),
    match,
  )
  let findDone: FindByKey | undefined
  return (pairs: readonly Pair[]): Matches => {
    const values = pairs.map(([, value]) => value)
    const {records: found, near} = find(values)
    if (found.length > 0) return {found, near, done: []}
    findDone ??= toFinder(records.filter(isDone), match)
    return {found, near, done: findDone(values).records}
  }
}

function findNone(
  write: Write,
  pairs: readonly Pair[],
  near: readonly JsonRecord[],
  done: readonly JsonRecord[],
): Finding {
  const {probe, endState} = write
  const resource = changedResource(write)
  if (done.length === 0) return findMissing({resource, read: findRead(probe).id}, pairs, near)
  const ids = done.map(({id}) => idText(id)).join(', ')
  const message = `no open ${resource} with ${describePairs(pairs)}; already ${endState?.done}: ${ids}`
  return {code: 'MISSING_RECORD', message, kind: message}
}

function findSeveral(write: Write, pairs: readonly Pair[], found: readonly JsonRecord[]): Finding {
  const resource = changedResource(write)
  const more = findDifference(resource, found)
  const isMatched = pairs.some(([name]) => name === more)
  const advice = more === undefined || isMatched ? `give the column ${write.target} instead` : `add ${more} to --match`
  const message = `${describeSeveral(resource, pairs, found)}; ${advice}`
  return {code: 'AMBIGUOUS_RECORD', message, kind: message}
}
