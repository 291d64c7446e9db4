import {isDigits, numberOf, type Row, textOf, type Value} from './json.js'
import {Problems, refuse} from './refusal.js'
import {addSelection, isOf, type World} from './world.js'
import type {Write} from './write.js'

const [whole, decimal] = [
  ['restockTo', 'depth', 'count', 'freeCount'],
  ['price', 'invoicePrice', 'commission'],
]
const nullable = ['productId', 'alertLevel', 'restockAt', 'tax']
const writable = ['machineId', 'selectionNumber', ...whole, ...decimal, ...nullable]
const required = ['machineId', 'selectionNumber', ...whole, ...decimal]

const isGiven = (value: Value | undefined) => value !== undefined && value !== null
const isWhole = (value: Value | undefined) => typeof value === 'number' && Number.isInteger(value)
const isNumber = (value: Value | undefined) => typeof value === 'number' || isDigits(value)

function isAlive(row: Row | undefined): row is Row {
  return row !== undefined && row['isActive'] === true
}

/** What is wrong with a selection as it would be, as status and code. */
function problemOf(row: Row, world: World): [number, string] | undefined {
  if (required.some((field) => !isGiven(row[field]))) return [421, 'MISSING_REQUIRED_DATA']
  const isTyped =
    ['machineId', ...whole].every((field) => isWhole(row[field])) &&
    decimal.every((field) => isNumber(row[field])) &&
    nullable.every((field) => !isGiven(row[field]) || isNumber(row[field]))
  if (!isTyped) return [400, 'DESERIALIZATION_ERROR']
  if (!world.machines.some((machine) => isOf(machine, row['machineId']))) return [404, 'MISSING_RECORD']
  return keepsRules(row) ? undefined : [422, 'SELECTION_VALIDATION']
}

function keepsRules(row: Row): boolean {
  const of = (field: string) => numberOf(row[field])
  const [restockTo, depth, count] = [of('restockTo'), of('depth'), of('count')]
  const restockAt = isGiven(row['restockAt']) ? of('restockAt') : restockTo
  const alertLevel = isGiven(row['alertLevel']) ? of('alertLevel') : Math.min(restockAt, 0)
  const product = isGiven(row['productId']) ? of('productId') : -1
  return (
    of('price') > 0 &&
    of('invoicePrice') >= 0 &&
    of('commission') >= 0 &&
    of('freeCount') >= 0 &&
    (product === -1 || product > 0) &&
    0 <= alertLevel &&
    alertLevel <= restockAt &&
    restockAt <= restockTo &&
    restockTo <= depth &&
    0 <= count &&
    count <= depth
  )
}

const placeOf = (row: Row) => `${textOf(row['machineId'])}/${textOf(row['selectionNumber'])}`

/** The machine must pick the change up. */
function planogramChanged(world: World, machineId: Value | undefined): void {
  const machine = world.machines.find((row) => isOf(row, textOf(machineId)))
  if (machine) machine['hasPlanogramChange'] = true
}

/** Full replace: what is left out becomes null. */
export const updateSelections: Write = ({world, stock, body}) => {
  const problems = new Problems()
  const next = body.map((sent) => {
    const current = world.selections.find((row) => isOf(row, textOf(sent['id'])))
    const row: Row = {...current, ...Object.fromEntries(writable.map((field) => [field, sent[field] ?? null]))}
    if (!isAlive(current)) problems.add(404, 'MISSING_RECORD', sent['id'] ?? null, 'id')
    else {
      const problem = problemOf(row, world)
      if (problem) problems.add(...problem, sent['id'] ?? null, 'id')
    }
    return {current: current ?? {}, row}
  })
  const ids = new Set(body.map(({id = null}) => textOf(id)))
  const others = world.selections.filter((row) => isAlive(row) && !ids.has(textOf(row['id']))).map(placeOf)
  const taken = new Set(others)
  for (const {row} of next) {
    if (taken.has(placeOf(row))) problems.add(422, 'SELECTION_VALIDATION', row['id'] ?? null, 'id')
    taken.add(placeOf(row))
  }
  problems.throwAny()
  for (const {current, row} of next) {
    const {count = null, ...rest} = row
    Object.assign(current, rest, {count: current['count'] ?? null})
    stock.change(current, numberOf(count), 'write')
    planogramChanged(world, current['machineId'])
  }
  return {
    rows: body.map((sent) => ({key: textOf(sent['id']), sent})),
    answer: next.map(({current}) => current),
  }
}

export const createSelections: Write = ({world, body}) => {
  const problems = new Problems()
  const taken = new Set(world.selections.filter(isAlive).map(placeOf))
  for (const [index, sent] of body.entries()) {
    const problem = problemOf(sent, world)
    if (problem) problems.add(...problem, index, 'index')
    else if (taken.has(placeOf(sent))) problems.add(422, 'SELECTION_VALIDATION', index, 'index')
    taken.add(placeOf(sent))
  }
  problems.throwAny()
  const created = body.map((sent) => {
    planogramChanged(world, sent['machineId'])
    return addSelection(world, Object.fromEntries(writable.map((field) => [field, sent[field] ?? null])))
  })
  return {rows: body.map((sent) => ({key: placeOf(sent), sent})), answer: created.map(({id = null}) => id)}
}

/** Soft: they stay, and are listed when deleted ones are asked for. */
export const deleteSelections: Write = ({world, body}) => {
  const problems = new Problems()
  const found = body.map(({id = null}) => {
    const row = world.selections.find((one) => isOf(one, textOf(id)))
    if (!isAlive(row)) problems.add(404, 'MISSING_RECORD', id, 'id')
    return row ?? {}
  })
  problems.throwAny()
  for (const row of found) {
    row['isActive'] = false
    planogramChanged(world, row['machineId'])
  }
  return {rows: body.map((sent) => ({key: textOf(sent['id']), sent})), answer: undefined}
}

/** Stock changes by a difference, and never below 0 or above the depth. */
export const adjustSelections: Write = ({world, stock, body}) => {
  const problems = new Problems()
  const next = body.map((sent) => {
    const {selectionId = null, delta = null} = sent
    const row = world.selections.find((one) => isOf(one, textOf(selectionId)))
    if (!isWhole(delta)) refuse(400, 'DESERIALIZATION_ERROR')
    const count = numberOf(row?.['count']) + numberOf(delta)
    if (!isAlive(row)) problems.add(404, 'MISSING_RECORD', selectionId, 'selectionId')
    else if (count < 0 || count > numberOf(row['depth']))
      problems.add(422, 'SELECTION_VALIDATION', selectionId, 'selectionId')
    return {row: row ?? {}, delta: numberOf(delta)}
  })
  problems.throwAny()
  for (const {row, delta} of next) stock.change(row, numberOf(row['count']) + delta, 'write')
  return {
    rows: body.map((sent) => ({key: textOf(sent['selectionId']), sent})),
    answer: next.map(({row}) => ({...row})),
  }
}

/** What a template sets; selections that a machine lacks are created, others are kept. */
export const applyTemplate: Write = ({world, requestFilter, routeFilter}) => {
  const [machines, templates] = [requestFilter['machineIdentifiers'], routeFilter['templateIds']]
  if (!Array.isArray(machines) || machines.length === 0) refuse(421, 'MISSING_REQUIRED_DATA')
  if (!Array.isArray(templates) || templates.length === 0) refuse(421, 'MISSING_REQUIRED_DATA')
  if (templates.length > 1) refuse(422, 'MULTIPLE_TEMPLATES')
  const problems = new Problems()
  const found = machines.map((name) => {
    const machine = world.machines.find((row) => isOf(row, textOf(name)) || row['prose'] === textOf(name))
    if (machine === undefined) problems.add(404, 'MISSING_RECORD', name, 'machineIdentifiers')
    return machine ?? {}
  })
  problems.throwAny()
  if (new Set(found.map(({organizationId = null}) => organizationId)).size > 1) refuse(400, 'GENERIC_ERROR')
  const parts = world.templateSelections.filter((row) => textOf(row['templateId']) === textOf(templates[0]))
  if (parts.length === 0) refuse(422, 'NO_SELECTIONS')
  for (const machine of found) for (const part of parts) applyPart(world, machine, part)
  return {
    rows: found.map(({id = null}) => ({key: textOf(id), sent: {templateId: templates[0] ?? null}})),
    answer: undefined,
  }
}

function applyPart(world: World, machine: Row, part: Row): void {
  const {productId = null, price = null, invoicePrice = null, depth = null, commission = null, tax = null} = part
  const set = {productId, price, invoicePrice, depth, commission, tax, restockTo: part['par'] ?? null}
  const place = {machineId: machine['id'] ?? null, selectionNumber: part['selectionNumber'] ?? null}
  const current = world.selections.find((row) => isAlive(row) && placeOf(row) === placeOf(place))
  if (current) Object.assign(current, set)
  else addSelection(world, {...place, ...set, count: 0, alertLevel: null, restockAt: null})
  machine['hasPlanogramChange'] = true
}
