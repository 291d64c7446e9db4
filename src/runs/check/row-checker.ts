import {useOf, type Write} from '../../contract/index.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {type CellsOptions, checkCells} from '../../validate/check-cells.js'
import {checkRecord, type RecordOptions} from '../../validate/check-record.js'
import {createDuplicateFinder, type FindDuplicate} from '../../validate/duplicate-keys.js'
import {describeIgnored, readingBy} from '../../validate/locale-watch.js'
import {ZeroWatch} from '../../validate/lost-zeros.js'
import {type MatchedHeader, matchHeader} from '../../validate/match-header.js'
import {type Problem, sortProblems} from '../../validate/problem.js'
import {RowReport} from '../../validate/row-report.js'
import {defined} from '../../values/defined.js'
import type {JsonRecord} from '../../values/json.js'
import {type Layout, lineText, placeIn} from '../../values/place.js'
import {PackedRows} from '../rows/packed-rows.js'
import {textOf} from '../rows/pointers.js'
import {withRemedies} from './header-fit.js'
import {ValueMapper} from './map-values.js'
import type {CheckOptions} from './row-rules.js'
import {createSentNames, describeLeftOut, findFields, unknownAllowance} from './sent-names.js'
import {readSetFields, type SetFields} from './set-fields.js'

/** A character takes at most this many bytes in JSON (`\u0000`). */
const bytesOfCharacter = 6

/** Checks the rows of one file, one after the other, and keeps what they make. */
export class RowChecker {
  /** Rows that make a record, in the order of the file. */
  readonly rows = new PackedRows()
  /** Number of the column of each field. */
  readonly columns: ReadonlyMap<string, number>
  /** Fields whose damage is sent. */
  readonly allowsDamage: ReadonlySet<string>
  /** Rows seen. */
  count = 0
  readonly #input: RowFile
  readonly #header: MatchedHeader
  readonly #cells: CellsOptions
  readonly #unknown: readonly Problem[]
  readonly #values: RecordOptions
  readonly #report: RowReport
  readonly #zeros: ZeroWatch
  readonly #file: Pick<Problem, 'file' | 'sheet'>
  readonly #options: CheckOptions
  readonly #identity: readonly string[]
  readonly #findDuplicate: FindDuplicate
  readonly #set: SetFields
  readonly #mapper: ValueMapper
  #longest = 0
  #line = 0

  constructor(operation: Write, input: RowFile, options: CheckOptions) {
    const {name, sheet, header} = input
    this.#input = input
    const use = useOf(operation)
    const {unknownColumns = 'error', empty = 'omit', map, merges = false, rules, allowDamage = []} = options
    const all = createSentNames(operation, merges, rules?.extra, options.names)
    const allowed = findFields(allowDamage, all, map)
    const cells = {columns: [], width: header?.cells.length ?? 0, use, empty, allowsDamage: allowed.fields}
    this.#set = readSetFields(options.set ?? [], all, cells, options.changes)
    const {names} = this.#set
    this.#options = options
    this.#file = {file: name, ...defined({sheet})}
    this.#report = new RowReport(name, sheet)
    const given = [
      ...this.#set.fields,
      ...(options.mapValues ?? []).map(({field}) => field),
      ...(options.names?.lookups ?? []).map(({field}) => field),
    ]
    const matched = header
      ? matchHeader(header.cells, names, {...this.#file, ...header, use, map, unknownColumns, given})
      : {columns: [], problems: []}
    const {columns, problems} = matched
    this.#header = {columns, problems: withRemedies({write: operation, names, cells: header?.cells ?? [], problems})}
    this.#set.refuseColumns(name, this.#header.columns)
    this.#mapper = new ValueMapper({maps: options.mapValues ?? [], map, names, cells}, input, this.#header.columns)
    this.allowsDamage = allowed.fields
    this.#unknown = allowed.unknown.map((columnName) => ({...this.#file, ...unknownAllowance, columnName}))
    this.#cells = {...cells, columns: this.#header.columns, ...readingBy(options.locale)}
    this.#zeros = new ZeroWatch(this.#header.columns, allowed.fields)
    this.#values = {names, use, map, unknownColumns}
    this.columns = new Map(this.#header.columns.map((column) => [column.name, column.position]))
    this.#identity = operation.identity
    this.#findDuplicate = createDuplicateFinder(operation.identity)
  }

  get problems(): Problem[] {
    return sortProblems([
      ...this.#unknown,
      ...this.#header.problems,
      ...this.#mapper.problems,
      ...(this.#cells.watch?.settle(this.#report.problems, this.count) ?? this.#report.problems),
      ...this.#zeros.findProblems(this.#file),
    ])
  }

  get notices(): string[] {
    return [
      ...(this.#input.notices ?? []),
      ...describeIgnored(this.#cells.locale, this.#input.header),
      ...this.#set.notices,
      ...this.#report.notices,
    ]
  }

  get remarks(): string[] {
    const {name, format, delimiter} = this.#input
    const says = this.#options.saysDelimiter && format === 'csv'
    return [
      ...(says ? [`${name}: detected the delimiter ${JSON.stringify(delimiter)}`] : []),
      ...this.#report.remarks,
      ...describeLeftOut(this.#set.names),
      ...(this.#options.rules?.remarks ?? []),
    ]
  }

  get layout(): Layout {
    return this.#report.layout
  }

  /** No record takes more bytes than this in a request. */
  get longestRecordBytes(): number {
    const names = this.#header.columns.reduce((sum, {name}) => sum + name.length + bytesOfCharacter, 0)
    return (this.#longest + this.#set.size + this.#mapper.size) * bytesOfCharacter + names * 2
  }

  /** Gives back the problems of this row. */
  check(row: Row): readonly Problem[] {
    const known = this.#report.problems.length
    this.#take(row)
    return this.#report.problems.slice(known)
  }

  #take(row: Row): void {
    const {line, size} = row
    this.count++
    this.#longest = Math.max(this.#longest, size)
    if (row.kind !== 'cells' && line === this.#line) this.#report.atElement(line, this.count)
    else this.#report.atRow(line, row.kind === 'cells' ? row.rowNumber : undefined)
    this.#line = line
    const record = this.#toRecord(row)
    if (!record) return
    this.#applyRules(record)
    this.#refuseDuplicate(record, line)
    if (this.#options.keepsRows ?? true) this.rows.push({line, record})
  }

  #toRecord(row: Row): JsonRecord | undefined {
    switch (row.kind) {
      case 'cells': {
        const mapped = this.#mapper.ofCells(row)
        this.#zeros.add(mapped)
        return this.#withSet(checkCells(mapped, this.#cells, this.#report))
      }
      case 'value':
        return this.#withSet(
          checkRecord(this.#mapper.ofValue(row.value, this.#report), this.#values, this.#report),
          row.line,
        )
      case 'broken':
        this.#report.found({code: 'BROKEN_ROW', message: row.why})
        return undefined
    }
  }

  /** `ownLine`: of a record that names its fields itself. */
  #withSet(record: JsonRecord | undefined, ownLine?: number): JsonRecord | undefined {
    if (record && ownLine !== undefined) this.#set.addToOwn(record, this.#file.file, ownLine)
    else if (record) this.#set.addTo(record)
    return record
  }

  #applyRules(record: JsonRecord): void {
    for (const {field, finding} of this.#options.rules?.apply(record) ?? []) {
      this.#pointAt(field, record)
      this.#report.found(finding)
    }
  }

  #pointAt(field: string, record: JsonRecord): void {
    const column = this.columns.get(field)
    if (column === undefined) this.#report.atField(field)
    else this.#report.atCell(column, field, textOf(record[field]))
  }

  #refuseDuplicate(record: JsonRecord, line: number): void {
    const first = this.#findDuplicate(record, line)
    if (first === undefined) return
    this.#pointAt(this.#identity.at(-1) ?? '', record)
    const where = placeIn({file: this.#file.file, layout: this.layout}, first)
    const message = `the same ${this.#identity.join(' and ')} as in ${lineText(where)}`
    this.#report.found({code: 'DUPLICATE_RECORD', kind: 'repeated', message})
  }
}
