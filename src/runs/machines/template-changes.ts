import {allFieldsOf, type Field, type Probe, readOperation} from '../../contract/index.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, numberText} from '../../values/json.js'
import {type FieldChange, isSame} from '../plan/diff.js'

/** Selections by what names them in their machine or template. */
export type Selections = ReadonlyMap<string, JsonRecord>

export type TemplateProbe = Extract<Probe, {kind: 'template'}>

/** What a template would make of the selections of a machine; those that it does not name stay as they are. */
export type TemplateChanges = {
  changes: (FieldChange & {selection: string})[]
  changed: number
  created: number
  unchanged: number
  /** Rules of the service that the new values would break, in words. */
  broken: string[]
}

/** Compares the selections of a machine with a template, in every field that the template holds. Pure. */
export function compareTemplate(template: Selections, selections: Selections, probe: TemplateProbe): TemplateChanges {
  const found: TemplateChanges = {changes: [], changed: 0, created: 0, unchanged: 0, broken: []}
  const fields = allFieldsOf(readOperation(probe.read).resource)
  for (const [selection, held] of template) {
    const now = selections.get(selection)
    const changes = compareFields(now ?? {}, held, probe, fields)
    const all = now ? changes : [{field: probe.by, from: null, to: selection}, ...changes]
    if (!now) found.created++
    else if (changes.length > 0) found.changed++
    for (const change of all) found.changes.push({selection, ...change})
    const broken = findBroken({...now, ...Object.fromEntries(changes.map(({field, to}) => [field, to]))})
    if (broken && changes.length > 0) found.broken.push(`${selection} (${broken})`)
  }

  found.unchanged = selections.size - found.changed
  return found
}

type Fields = Readonly<Record<string, Field>>

function compareFields(now: JsonRecord, held: JsonRecord, {sets}: TemplateProbe, fields: Fields): FieldChange[] {
  return Object.entries(sets).flatMap(([field, of]) => {
    const [from, to] = [now[field] ?? null, held[of]]
    return to === undefined || isSame(from, to, fields[field]) ? [] : [{field, from, to}]
  })
}

/** From the least to the largest; what is not there is left out. [dec] */
const orders = [
  ['alertLevel', 'restockAt', 'restockTo', 'depth'],
  ['count', 'depth'],
]

/** The first two fields that would be in the wrong order. */
function findBroken(record: JsonRecord): string | undefined {
  for (const order of orders) {
    const given = order.flatMap((name): [string, string][] => {
      const value = record[name] ?? null
      return isNumber(value) ? [[name, numberText(value)]] : []
    })
    const at = given.findIndex(([, text], place) => compareDecimals(text, given[place + 1]?.[1] ?? text) > 0)
    const [less, more] = at === -1 ? [] : given.slice(at, at + 2)
    if (less && more) return `${less.join(' ')} above ${more.join(' ')}`
  }
  return undefined
}
