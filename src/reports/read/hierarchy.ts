import {filterKeysOf, filterOf, type ReadId, readIds, readOperation} from '../../contract/index.js'
import {type Column, toColumn} from '../../formats/columns.js'
import {toCellText} from '../../formats/flatten.js'
import {valueAt} from '../../formats/record-path.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'

/** The levels of the hierarchy from the top, by the resource of their records. */
export const levels = ['organization', 'account', 'site', 'machine'] as const
export type Level = (typeof levels)[number]

type Node = {
  readonly level: Level
  readonly id: JsonValue
  readonly name: JsonValue
  /** Whether the record came; else others only name it as what they belong to. */
  readonly isKnown: boolean
  readonly children: Node[]
  /** Machines that have no nodes of their own. */
  machines: number
}

/** A node with those above it; `isLast` says of each of them, and of itself, whether no sibling follows. */
export type Line = {node: Node; above: readonly Node[]; isLast: readonly boolean[]}

export type Hierarchy = ReturnType<typeof createHierarchy>

/**
 * Puts records below those that they belong to, and counts them. No record is dropped: one whose parent did not come is
 * put below an unknown one. Above the depth `machine`, machines are only counted. Where records were filtered at a
 * level, `narrowedTo`, records above that lead to none of them are left out.
 */
export function createHierarchy(depth: Level, narrowedTo: Level) {
  const roots: Node[] = []
  const nodes = new Map<string, Node>()

  return {
    /** Takes the records of a level, once all of the levels above were added. */
    add(level: Level, record: JsonRecord): void {
      const parent = parentOf(level, record)
      if (parent && level === 'machine' && depth !== 'machine') parent.machines++
      else
        put(
          keyOf(level, idOf(record)),
          {level, id: idOf(record), name: valueAt(record, ['name']) ?? null, isKnown: true},
          parent,
        )
    },
    /** All nodes down to the depth, each behind the one that it belongs to. */
    lines: () => linesOf(roots, []),
    /** The nodes as nested records. */
    nested: () => kept(roots).map(toNested),
  }

  function parentOf(level: Level, record: JsonRecord): Node | undefined {
    const above = levels[levels.indexOf(level) - 1]
    return above && findOrPut(above, level, record)
  }

  function findOrPut(above: Level, level: Level, record: JsonRecord): Node {
    const field = fieldOf(level, above)
    const id = (field === undefined ? null : valueAt(record, [field])) ?? null
    const found = id === null ? undefined : nodes.get(keyOf(above, id))
    if (found) return found
    const higher = levels[levels.indexOf(above) - 1]
    const parent = higher && findOrPut(higher, level, record)
    const key = id === null ? `${above} below ${parent ? keyOf(parent.level, parent.id) : ''}` : keyOf(above, id)
    return nodes.get(key) ?? put(key, {level: above, id, name: null, isKnown: false}, parent)
  }

  function put(key: string, node: Pick<Node, 'level' | 'id' | 'name' | 'isKnown'>, parent: Node | undefined): Node {
    const made = {...node, children: [], machines: 0}
    const siblings = parent?.children ?? roots
    siblings.push(made)
    nodes.set(key, made)
    return made
  }

  function* linesOf(siblings: readonly Node[], above: readonly Line[]): Generator<Line, void, void> {
    const shown = kept(siblings)
    for (const [place, node] of shown.entries()) {
      const isLast = [...above.map((line) => line.isLast.at(-1) === true), place === shown.length - 1]
      const line = {node, above: above.map((one) => one.node), isLast}
      yield line
      yield* linesOf(node.children, [...above, line])
    }
  }

  function kept(siblings: readonly Node[]): Node[] {
    return siblings.filter((node) => !isBelow(node.level, depth) && (!isBelow(narrowedTo, node.level) || leads(node)))
  }

  function leads(node: Node): boolean {
    return countsOf(node)[narrowedTo] > 0
  }

  function toNested(node: Node): JsonRecord {
    const {level, id, name, isKnown, children} = node
    const next = levels[levels.indexOf(level) + 1]
    const below = next !== undefined && !isBelow(next, depth) && {[`${next}s`]: kept(children).map(toNested)}
    return {id, name, isKnown, ...(next && {counts: countsBelow(node)}), ...below}
  }
}

/** Columns of the rows of `toRow`. */
export const hierarchyColumns: readonly Column[] = [
  ...(['level', 'id', 'name', 'organizationId', 'accountId', 'siteId'] as const).map((name) =>
    toColumn([name], name === 'level' || name === 'name' ? 'text' : 'integer'),
  ),
  ...(['accounts', 'sites', 'machines'] as const).map((name) => toColumn([name], 'integer')),
  toColumn(['isKnown'], 'boolean'),
]

/** A line as a record that needs no other. */
export function toRow({node, above}: Line): JsonRecord {
  const {level, id, name, isKnown} = node
  const idAt = (one: Level) => above.find((other) => other.level === one)?.id ?? null
  const parents = {organizationId: idAt('organization'), accountId: idAt('account'), siteId: idAt('site')}
  return {level, id, name, ...parents, ...allCounts(node), isKnown}
}

/** Columns of the rows of `toTreeRow`. */
export const treeColumns: readonly Column[] = [
  toColumn(['name'], 'text'),
  ...(['id', 'accounts', 'sites', 'machines'] as const).map((name) => toColumn([name], 'integer')),
]

/** A line as people read it: indented, and with branches where a terminal shows it. */
export function toTreeRow({node, isLast}: Line, hasBranches: boolean): JsonRecord {
  const {level, id, name, isKnown} = node
  const stems = isLast.slice(1, -1).map((last) => (last ? '   ' : '│  '))
  const branch = isLast.length === 1 ? '' : isLast.at(-1) ? '└─ ' : '├─ '
  const begin = hasBranches ? [...stems, branch].join('') : '  '.repeat(isLast.length - 1)
  const shown = isKnown ? textOf(name) : `unknown ${level}${id === null ? '' : ` ${textOf(id)}`}`
  return {name: begin + shown, id, ...allCounts(node)}
}

/** The read of the records of a level. */
export function readOf(level: Level): ReadId {
  const id = readIds.find((one) => readOperation(one).resource === level)
  if (id === undefined) throw new TypeError(`no read of ${level}`)
  return id
}

/** The field of a record that names what it belongs to; undefined where it has none. */
function fieldOf(level: Level, above: Level): string | undefined {
  const read = readOperation(readOf(level))
  const key = filterKeysOf(read).find((one) => filterOf(one).names === above)
  return key && read.filters[key]?.[0]
}

/** The records below a node, by level. */
function countsOf({children, machines}: Node): Record<Level, number> {
  const counts = {organization: 0, account: 0, site: 0, machine: machines}
  for (const child of children) {
    const below = countsOf(child)
    for (const level of levels) counts[level] += below[level]
    if (child.isKnown) counts[child.level]++
  }

  return counts
}

/** Counts of the levels below that of the node. */
function countsBelow(node: Node): JsonRecord {
  const counts = countsOf(node)
  const below = levels.filter((level) => isBelow(level, node.level))
  return Object.fromEntries(below.map((level) => [`${level}s`, counts[level]]))
}

function allCounts(node: Node): JsonRecord {
  return {accounts: null, sites: null, machines: null, ...countsBelow(node)}
}

function isBelow(one: Level, other: Level): boolean {
  return levels.indexOf(one) > levels.indexOf(other)
}

function idOf(record: JsonRecord): JsonValue {
  return valueAt(record, ['id']) ?? null
}

function keyOf(level: Level, id: JsonValue): string {
  return `${level} ${textOf(id)}`
}

function textOf(value: JsonValue): string {
  return toCellText(value) ?? ''
}
