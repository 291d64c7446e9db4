import {type Column, findColumn, toPath, unknownColumn} from '../../../src/formats/columns.js'
import {toCondition, toSortKeys} from '../../../src/formats/conditions.js'
import {valueAt} from '../../../src/formats/record-path.js'
import {SortKey} from '../../../src/formats/sort/sort-key.js'
import {Sorter} from '../../../src/formats/sort/sorter.js'
import {createUnknownFields} from '../../../src/formats/unknown-columns.js'
import {type JsonRecord, parseJson, printJson} from '../../../src/values/json.js'

export type SelectOptions = {
  /** Columns of the contract, for the paths of names and for suggestions. */
  columns: readonly Column[]
  /** Texts of `--where`; a record must satisfy all of them. */
  where?: readonly string[]
  /** Text of `--sort`. */
  sort?: string
  /** Most records that are let through. */
  limit?: number
  /** The folder for sorted records that memory does not hold; asked for only then. */
  folder?: () => string
}

/** Narrows and orders records one by one: what conditions, order and limit of pages are compared with. */
export type Select = {
  /** The records of one page that come out now: none when sorting. Moves on once all of them were taken. */
  page(records: Iterable<JsonRecord>): Iterable<JsonRecord>
  /**
   * The records that come out when all pages were read, in pages. Throws a `CliFailure` for a name that no record knows,
   * and when neither memory nor disk holds them.
   */
  end(): Iterable<JsonRecord[]>
  /** Columns of the fields, unknown to the contract, of the records that are sorted. */
  unknown(): Column[]
  /** The limit is reached: no further page can add a record. */
  readonly isFull: boolean
  /** The limit kept back at least one record that was read. */
  readonly isCut: boolean
}

type Named = {readonly name: string; readonly path: readonly string[]}

/** A name that the contract does not know must stand in one of so many records, or it is taken for a slip. */
const recordsUntilKnown = 1_000
/** Sorted records that go out together. */
const recordsPerPage = 2_000

/** Throws a `CliFailure` for a condition or sort key that cannot be read. */
export function createSelect(options: SelectOptions): Select {
  const {columns, limit = Number.POSITIVE_INFINITY, folder = noFolder} = options
  const conditions = (options.where ?? [])
    .map((text) => toCondition(text, columns))
    .map((one) => ({...one, path: pathOf(one.name)}))
  const sortKeys = (options.sort === undefined ? [] : toSortKeys(options.sort)).map((key) => ({
    ...key,
    path: pathOf(key.name),
  }))
  const unseen = new Set<Named>([...conditions, ...sortKeys].filter(({name}) => !findColumn(columns, name)))
  let read = 0
  let passed = 0
  let isCut = false
  const sorter = sortKeys.length > 0 ? new Sorter({limit, folder}) : undefined
  const fields = createUnknownFields(columns)
  const key = new SortKey()

  return {
    page: (records) => (sorter ? hold(records, sorter) : pass(records)),
    *end() {
      checkNames()
      if (sorter) yield* sorted(sorter)
    },
    unknown: () => fields.columns(),
    get isFull() {
      return sortKeys.length === 0 && passed >= limit
    },
    get isCut() {
      return isCut
    },
  }

  function pathOf(name: string): readonly string[] {
    return findColumn(columns, name)?.path ?? toPath(name)
  }

  function hold(records: Iterable<JsonRecord>, sorter: Sorter): JsonRecord[] {
    for (const record of [...filter(records)]) {
      key.clear()
      for (const {path, descending} of sortKeys) key.value(valueAt(record, path), descending)
      const bytes = Buffer.from(printJson(record))
      sorter.add(key, bytes, 0, bytes.length)
      fields.add([record])
    }

    return []
  }

  function* sorted(sorter: Sorter): Generator<JsonRecord[], void, void> {
    isCut = sorter.count > limit
    let page: JsonRecord[] = []
    for (const {bytes, start, end} of sorter.rows()) {
      page.push(parseJson(bytes.toString('utf8', start, end)) as JsonRecord)
      if (page.length < recordsPerPage) continue
      yield page
      page = []
    }

    if (page.length > 0) yield page
  }

  function* pass(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
    let count = passed
    for (const record of filter(records)) {
      if (count >= limit) {
        isCut = true
        continue // all of a page is looked at
      }

      count++
      yield record
    }

    passed = count
  }

  function* filter(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
    for (const record of records) {
      look(record)
      if (conditions.every(({path, holds}) => holds(valueAt(record, path)))) yield record
    }
  }

  function look(record: JsonRecord): void {
    if (unseen.size === 0) return
    for (const named of unseen) if (valueAt(record, named.path) !== undefined) unseen.delete(named)
    read++
    if (read >= recordsUntilKnown) checkNames()
  }

  function checkNames(): void {
    for (const {name} of unseen) throw unknownColumn(name, columns)
  }
}

function noFolder(): string {
  throw new Error('a sort of more than memory holds needs a folder')
}
