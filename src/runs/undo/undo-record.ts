import {allFieldsOf, type Field, type Write} from '../../contract/index.js'
import {putField} from '../../formats/record-path.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import {changedBy, toComparable, toEffect} from '../plan/compare.js'
import {diffRecords, type FieldChange} from '../plan/diff.js'
import {findField, spellFields} from '../plan/merge.js'

/** One record as it was before a run, as the run sent it, and as it is now. */
export type ThreeRecords = {
  before: JsonRecord
  sent: JsonRecord
  now: JsonRecord
  /** What its row said, where more was sent. */
  said?: JsonRecord | undefined
  /** What its row left out was set to null. */
  isReplaced?: boolean
}

/** A field that someone changed since the run. */
export type FieldConflict = {field: string; before: JsonValue; sent: JsonValue; now: JsonValue}

export type Reversal = {
  /** What is laid over the current record to take the changes of the run back; empty when nothing is left to do. */
  given: JsonRecord
  conflicts: FieldConflict[]
  /** Fields that the run changed and that cannot be changed back. */
  final: string[]
}

/**
 * What it takes to undo one row of a run: only fields that the run changed go back, to the digit; what they are by now
 * shows whether someone else changed them since.
 */
export function reverseRecord({before, sent, now, said, isReplaced}: ThreeRecords, write: Write): Reversal {
  const {resource, endState, live} = write
  const {record, replaces} = isReplaced ? {record: sent, replaces: true} : changedBy(write, sent, said)
  const [then, current, effect] = [toComparable(before, write), toComparable(now, write), toEffect(record, write)]
  const isMeant = ({field}: FieldChange) => !live.includes(field) || Object.hasOwn(said ?? sent, field)
  const changes = diffRecords(then, effect, resource, replaces).filter(isMeant)
  const others = byField(diffRecords(current, effect, resource, replaces))
  const left = byField(diffRecords(current, then, resource, true))
  const final = changes.filter(({field}) => field === endState?.flag || field === endState?.time)
  const open = changes.filter((change) => !final.includes(change) && left.has(change.field))
  const conflicts = open.filter(({field}) => others.has(field))
  const back = open.filter((change) => !conflicts.includes(change))
  return {
    given: toGiven(back, {before: then, now: current}, resource),
    conflicts: conflicts.map(({field, from, to}) => ({
      field,
      before: from,
      sent: to,
      now: others.get(field)?.from ?? null,
    })),
    final: final.map(({field}) => field),
  }
}

function byField(changes: readonly FieldChange[]): Map<string, FieldChange> {
  return new Map(changes.map((change) => [change.field, change]))
}

type Sides = {before: JsonRecord; now: JsonRecord}

function toGiven(back: readonly FieldChange[], {before, now}: Sides, resource: string): JsonRecord {
  const fields = allFieldsOf(resource)
  const [then, current] = [spellFields(before, fields), spellFields(now, fields)]
  const given: JsonRecord = {}
  for (const {field: name, from} of back) {
    const [top = name] = name.split('.')
    const field = findField(fields, top)
    if (Object.hasOwn(given, top)) continue
    const value = name === top ? from : toObject(top, field, {back, before: then.get(top), now: current.get(top)})
    putField(given, top, value)
  }

  return given
}

type Inner = {back: readonly FieldChange[]; before: JsonValue | undefined; now: JsonValue | undefined}

/** A nested object with the fields of the run changed back; it is as it was when nothing is left in it. */
function toObject(top: string, field: Field | undefined, {back, before = null, now = null}: Inner): JsonValue {
  const reversed = new Map(back.map(({field: name, from}) => [name, from]))
  const [then, current] = [spellInner(before, field), spellInner(now, field)]
  const object: JsonRecord = {}
  for (const name of new Set([...then.keys(), ...current.keys()])) {
    const path = `${top}.${name}`
    putField(object, name, (reversed.has(path) ? reversed.get(path) : current.get(name)) ?? null)
  }

  return Object.values(object).every((value) => value === null) ? before : object
}

function spellInner(value: JsonValue, field: Field | undefined): Map<string, JsonValue> {
  return isRecord(value) ? spellFields(value, field?.fields ?? {}) : new Map()
}
