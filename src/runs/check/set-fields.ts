import {CliFailure} from '../../core/errors.js'
import {valueAt} from '../../formats/record-path.js'
import {type CellsOptions, checkCells} from '../../validate/check-cells.js'
import {type FieldPlace, hasPath, overlaps, putPath} from '../../validate/field-names.js'
import {type Column, describeUnknown} from '../../validate/match-header.js'
import {problemText, quote} from '../../validate/problem.js'
import {RowReport} from '../../validate/row-report.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {FieldRule} from '../rows/merge-fields.js'
import {relax, type SentNames} from './sent-names.js'

type SetField = {place: FieldPlace; value: JsonValue; flag: 'set' | 'change'}

/** The fields that every row gets from `--set`, typed once. */
export type SetFields = ReturnType<typeof readSetFields>

/** Reads `FIELD=VALUE` pairs; values are typed as cells are. Throws a `CliFailure` (usage) for a pair that cannot be sent. */
export function readSetFields(
  pairs: readonly string[],
  names: SentNames,
  options: CellsOptions,
  changes: readonly FieldRule[] = [],
) {
  const notices: string[] = []
  const fields: SetField[] = []
  for (const pair of pairs) {
    const {place, text} = toPlace(pair, names)
    const known = fields.find(({place: other}) => overlaps(place.name, other.name))
    if (known) throw invalidSet(place.name, `the same field as --set ${known.place.name}`, 'Give each field once.')
    fields.push({place, value: readValue(place, text, options, notices), flag: 'set'})
  }

  for (const {field, mark} of changes) {
    const place = names.find(field)
    const known = fields.find(({place: {name}}) => name === field)
    if (known) throw givenTwice(known, `the same field as --change ${field}`)
    if (place) fields.push({place, value: mark, flag: 'change'})
  }

  const isSet = (name: string) => fields.some(({place}) => place.name === name)
  return {
    /** The names, with these fields no longer required in the file. */
    names: {...names, places: names.places.map((place) => (isSet(place.name) ? relax(place) : place))},
    fields: fields.map(({place}) => place.name),
    /** No record becomes longer by these fields than this, in characters. */
    size: fields.reduce((sum, {place, value}) => sum + place.name.length + printJson(value).length, 0),
    notices,
    /** Throws `usage` for a field that is a column as well. */
    refuseColumns(file: string, columns: readonly Column[]): void {
      for (const field of fields) {
        const column = columns.find(({name}) => overlaps(field.place.name, name))
        if (column) throw givenTwice(field, `${file} has this field in column ${column.position}`)
      }
    },
    addTo(record: JsonRecord): void {
      for (const {place, value} of fields) putPath(record, place.path, value)
    },
    /** Adds the fields to a record that may have any. Throws `usage` for a field that it has already. */
    addToOwn(record: JsonRecord, file: string, line: number): void {
      for (const field of fields) {
        const {place, value} = field
        if (hasPath(record, place.path)) throw givenTwice(field, `the record in line ${line} of ${file} has this field`)
        putPath(record, place.path, value)
      }
    },
  }
}

function toPlace(pair: string, names: SentNames): {place: FieldPlace; text: string} {
  const end = pair.indexOf('=')
  const written = pair.slice(0, Math.max(end, 0)).trim()
  if (written === '')
    throw invalidSet(pair, 'not FIELD=VALUE', 'Write the field, = and the value, such as: --set isActive=true')

  const place = names.find(written)
  if (place?.name === 'id') throw invalidSet('id', 'it names the record', 'Give ids in the file, or as arguments.')
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
  const value = valueAt(record, path)
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

function givenTwice({place: {name}, flag}: SetField, where: string): CliFailure {
  return invalidSet(name, where, `Leave out --${flag} ${name}, or remove the field from the file.`, flag)
}

function invalidSet(name: string, why: string, hint?: string, flag: SetField['flag'] = 'set'): CliFailure {
  return new CliFailure(`--${flag} ${name}: ${why}`, {
    code: flag === 'set' ? 'INVALID_SET' : 'INVALID_CHANGE',
    exit: 'usage',
    hints: hint === undefined ? [] : [hint],
  })
}
