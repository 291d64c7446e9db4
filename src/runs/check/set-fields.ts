import {CliFailure} from '../../core/errors.js'
import {type CellsOptions, checkCells} from '../../validate/check-cells.js'
import {type FieldPlace, overlaps} from '../../validate/field-names.js'
import {type Column, describeUnknown} from '../../validate/match-header.js'
import {problemText, quote} from '../../validate/problem.js'
import {hasPath, putPath, readPath} from '../../validate/put-path.js'
import {RowReport} from '../../validate/row-report.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {relax, type SentNames} from './sent-names.js'

type SetField = {place: FieldPlace; value: JsonValue}

/** The fields that every row gets from `--set`, typed once. */
export type SetFields = {
  /** The names, with these fields no longer required in the file. */
  readonly names: SentNames
  /** The fields by their names. */
  readonly fields: readonly string[]
  /** No record becomes longer by these fields than this, in characters. */
  readonly size: number
  readonly notices: readonly string[]
  /** Throws `usage` for a field that a column holds as well. */
  refuseColumns(file: string, columns: readonly Column[]): void
  /** Adds the fields to a record. */
  addTo(record: JsonRecord): void
  /** The same for a record whose fields are its own. Throws `usage` for a field that the record holds as well. */
  addToOwn(record: JsonRecord, file: string, line: number): void
}

/** Reads `FIELD=VALUE` pairs; values are typed as cells are. Throws a `CliFailure` (usage) for a pair that cannot be sent. */
export function readSetFields(pairs: readonly string[], names: SentNames, options: CellsOptions): SetFields {
  const notices: string[] = []
  const fields: SetField[] = []
  for (const pair of pairs) {
    const {place, text} = toPlace(pair, names)
    const known = fields.find(({place: other}) => overlaps(place.name, other.name))
    if (known) throw invalidSet(place.name, `the same field as --set ${known.place.name}`, 'Give each field once.')
    fields.push({place, value: readValue(place, text, options, notices)})
  }

  const isSet = (name: string) => fields.some(({place}) => place.name === name)
  return {
    names: {...names, places: names.places.map((place) => (isSet(place.name) ? relax(place) : place))},
    fields: fields.map(({place}) => place.name),
    size: fields.reduce((sum, {place, value}) => sum + place.name.length + printJson(value).length, 0),
    notices,
    refuseColumns(file, columns) {
      for (const {place} of fields) {
        const column = columns.find(({name}) => overlaps(place.name, name))
        if (column) throw heldTwice(place.name, `${file} has this field in column ${column.position}`)
      }
    },
    addTo(record) {
      for (const {place, value} of fields) putPath(record, place.path, value)
    },
    addToOwn(record, file, line) {
      for (const {place, value} of fields) {
        if (hasPath(record, place.path))
          throw heldTwice(place.name, `the record in line ${line} of ${file} has this field`)
        putPath(record, place.path, value)
      }
    },
  }
}

function toPlace(pair: string, names: SentNames): {place: FieldPlace; text: string} {
  const end = pair.indexOf('=')
  const written = pair.slice(0, Math.max(end, 0)).trim()
  if (written === '') {
    throw invalidSet(pair, 'not FIELD=VALUE', 'Write the field, = and the value, such as: --set isActive=true')
  }

  const place = names.find(written)
  if (place && place.isUnsent !== true) return {place, text: pair.slice(end + 1)}
  const isKnown = place !== undefined || names.findReadOnly(written) !== undefined || names.leavesOut?.(written)
  const why = isKnown ? 'never sent by this write' : describeUnknown(written, names).message
  throw invalidSet(written, why, 'Only fields that this write sends can be set.')
}

function readValue(place: FieldPlace, text: string, options: CellsOptions, notices: string[]): JsonValue {
  const {name, path, field} = place
  const readAs: RowReport['readAs'] = (as, {isUsual = false}) => {
    if (!isUsual) notices.push(`--set ${name}: ${quote(text)} was read as ${as}`)
  }
  const report = Object.assign(new RowReport('--set'), {readAs})
  const cells = {cells: [text], ...(text === '' && {quoted: [0]})}
  const column: Column = {position: 1, kind: 'field', name, path, place}
  const record = checkCells(cells, {...options, columns: [column], width: 1}, report) ?? {}
  const [error] = report.problems.filter(({severity}) => severity === 'error')
  if (error && error.code !== 'MISSING_VALUE') throw invalidSet(name, error.message)
  const value = readPath(record, path)
  if (error || value === undefined) {
    throw invalidSet(
      name,
      'no value',
      field.nullable ? `Write null as: --set '${name}=\\N'` : 'Write a value after the =.',
    )
  }

  for (const warning of report.problems) notices.push(`--set ${problemText(warning)}`)
  return value
}

function heldTwice(name: string, where: string): CliFailure {
  return invalidSet(name, where, `Leave out --set ${name}, or remove the field from the file.`)
}

function invalidSet(name: string, why: string, hint?: string): CliFailure {
  return new CliFailure(`--set ${name}: ${why}`, {
    code: 'INVALID_SET',
    exit: 'usage',
    ...(hint !== undefined && {hints: [hint]}),
  })
}
