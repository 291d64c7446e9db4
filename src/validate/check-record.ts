import type {Use} from '../contract/index.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../values/json.js'
import {halfCharacter} from './check-bounds.js'
import {checkValue, givenTwice, toSentValue} from './check-value.js'
import {type FieldNames, type FieldPlace, isDangerousName, overlaps, putPath, toPlainName} from './field-names.js'
import {describeUnknown, type UnknownColumns} from './match-header.js'
import type {RowReport} from './row-report.js'

export type RecordOptions = {
  names: FieldNames
  use: Use
  map?: Readonly<Record<string, string>> | undefined
  unknownColumns: UnknownColumns
}

/**
 * One record of a JSON file in the spelling of the contract. Types are those of JSON: a text is never read as a
 * number. Adds all problems to the report; undefined when the value is no record at all.
 */
export function checkRecord(value: JsonValue, options: RecordOptions, report: RowReport): JsonRecord | undefined {
  if (!isRecord(value)) {
    report.found({code: 'NOT_A_RECORD', message: 'not a JSON object'})
    return undefined
  }

  const record: JsonRecord = {}
  const given = new Set<string>()
  Object.entries(value).forEach(([written, part], index) => {
    addPart({record, given, written, part, position: index + 1}, options, report)
  })
  reportMissing(given, options, report)
  return record
}

type Part = {record: JsonRecord; given: Set<string>; written: string; part: JsonValue; position: number}

function addPart(part: Part, options: RecordOptions, report: RowReport): void {
  const {written, position} = part
  const name = mappedName(written, options.map)
  report.atCell(position, name)
  const place = options.names.find(name)
  const isDangerous = place === undefined && (isDangerousName(written) || isDangerousName(name))
  if (place) addField(part, place, report)
  else if (isDangerous) report.found({code: 'DANGEROUS_COLUMN', message: 'a field may not have this name'})
  else if (!name.startsWith('_')) addUnknown(part, name, options, report)
}

function addField({record, given, part, position}: Part, place: FieldPlace, report: RowReport): void {
  const {name, path, field} = place
  if (isGiven(place, given)) report.found(givenTwice)
  given.add(name)
  for (const {path: below, finding} of place.isUnsent ? [] : checkValue(part, field)) {
    report.atCell(position, [name, ...below].join('.'), printJson(part).slice(0, 200))
    report.found(finding)
  }

  putPath(record, path, toSentValue(part, field))
}

/** `contact` and `contact.firstName` set the same field. */
function isGiven({name, path, field}: FieldPlace, given: ReadonlySet<string>): boolean {
  if (given.has(name)) return true
  if (path.length === 1 && field.kind !== 'object') return false
  return [...given].some((other) => overlaps(other, name))
}

function addUnknown({record, part}: Part, name: string, options: RecordOptions, report: RowReport): void {
  if (options.names.leavesOut?.(name)) return
  if (options.unknownColumns !== 'ignore') putPath(record, [name], part)
  if (options.unknownColumns === 'error') report.found(describeUnknown(name, options.names))
  else if (options.unknownColumns === 'send' && !isWellFormed([name, part]))
    report.found(halfCharacter(printJson(part)))
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => name.isWellFormed() && isWellFormed(part))
}

function reportMissing(given: ReadonlySet<string>, {names, use}: RecordOptions, report: RowReport): void {
  for (const {name, path, field} of names.places) {
    if (path.length > 1 || !field.required?.includes(use) || given.has(name)) continue
    report.atField(name)
    report.found({code: 'MISSING_VALUE', message: 'required, but the record does not have it'})
  }
}

/** The field that a name of a file is mapped to, or the name itself. */
export function mappedName(written: string, map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return written
  const plain = toPlainName(written)
  return Object.entries(map).find(([from]) => toPlainName(from) === plain)?.[1] ?? written
}
