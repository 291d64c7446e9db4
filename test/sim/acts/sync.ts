import {DatabaseSync} from 'node:sqlite'
import type {World} from '../world.js'
import {limitReads} from './exports.js'
import {between, faultsOf} from './writes.js'

const mostSteps = 6
const calmFrom = 4
/** Long lists that are read as the others are. */
const skipped = 'selections,templates,products,machine_settings,roles,role_rights,machine_rights'
const words = [
  ...['sync', '--db', 'mirror.db', '--with-transactions', '--start', '2024-06-01', '--page-size', '30'],
  ...['--skip', skipped, '--json'],
]
/** Tables with columns that are texts, whole numbers or truth, and are named in the mirror as in the contract. */
const mirrored = [
  ['site', 'sites', ['id', 'accountId', 'name', 'isActive', 'shippingAddress']],
  ['machine', 'machines', ['id', 'siteId', 'name', 'prose']],
  ['alert', 'alerts', ['id', 'machineId', 'code', 'message', 'isCleared']],
  ['batch', 'transactions', ['id', 'machineId', 'recordedAtUtc']],
] as const
type Table = (typeof mirrored)[number][0]
type Row = Record<string, unknown>

/** A mirror that is killed, cut off and brought up to date again while others change and delete what it mirrors. */
export async function playSync(world: World): Promise<void> {
  const {choices, sandbox, machine, wrong} = world
  limitReads(world)
  const states = new Map(mirrored.map(([table]) => [table, new Set<string>()]))
  const look = () => {
    for (const [table, , columns] of mirrored)
      for (const row of sandbox.core.store.read(table)) states.get(table)?.add(cellsOf(row, columns))
  }
  const share = choices.chance('calm', 0.2) ? 0 : choices.of('trouble')() * 0.4
  for (let step = 0; step < mostSteps; step++) {
    const isCalm = step >= calmFrom
    world.enter(`step ${step}`, isCalm ? 0 : share)
    if (isCalm) machine.skew = 0
    if (step === calmFrom) await world.pass(2_000) // others have finished
    look()
    const isChanging = !isCalm && choices.chance(`changes ${step}`, 0.6)
    const change = () => changeSomething(world, step, look)
    if (isChanging) machine.scheduler.after(choices.of(`when ${step}`)() * 1_500, change)
    const ending = await world.run(words, isCalm ? {} : faultsOf(world, `step ${step}`))
    judgeMirror(world, states, 'was never so')
    if (isCalm && ending.exitCode === 0) {
      const now = new Map(mirrored.map(([table, , columns]) => [table, toSet(sandbox.core.store.read(table), columns)]))
      const found = judgeMirror(world, now, 'is not so now')
      // The one before may have gone on with a range that ended by a clock that was behind.
      for (const [table, , columns] of step > calmFrom ? mirrored : [])
        for (const cells of toSet(asked(table, world), columns))
          if (!found.has(`${table} ${cells}`)) wrong(`${table}: not in the mirror: ${cells}`)
    } else if (isCalm) wrong(`exit ${ending.exitCode}: ${ending.stderr.slice(0, 600)}`)
    await between(world, step, isCalm)
  }
}

/** What the mirror surely holds in the end: of alerts and sales those since its start, in any time zone. */
const asked = (table: Table, {sandbox}: World) =>
  sandbox.core.store.read(table).filter((row) => String(row['raisedAt'] ?? row['recordedAtUtc'] ?? 'Z') >= '2024-06-03')

const toColumn = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCell = (value: unknown) => (typeof value === 'boolean' ? Number(value) : String(value ?? null))
const cellsOf = (row: Row, columns: readonly string[]) => columns.map((name) => toCell(row[name])).join(' | ')
const toSet = (rows: readonly Row[], columns: readonly string[]) => new Set(rows.map((row) => cellsOf(row, columns)))

/** Holds each row of the mirror against rows that are right. Returns those of the mirror. */
function judgeMirror(world: World, right: Map<Table, Set<string>>, how: string): Set<string> {
  const {machine, wrong, sandbox} = world
  const found = new Set<string>()
  if (!world.has('mirror.db')) return found
  const database = new DatabaseSync(machine.path('mirror.db'))
  for (const [table, name, columns] of mirrored) {
    const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name=?').get(name)
    const names = columns.map((one) => `"${toColumn(one)}" AS "${one}"`).join(', ')
    const [isLive, isGone] = table === 'batch' ? ['', 'LIMIT 0'] : ['WHERE deleted_at IS NULL', 'WHERE deleted_at > 0']
    const all = (end: string) => database.prepare(`SELECT ${names} FROM ${name} ${end}`).all()
    for (const row of isThere ? all(isLive) : []) {
      const cells = cellsOf(row, columns)
      if (!right.get(table)?.has(cells)) wrong(`${name}: ${cells} ${how}`)
      if (found.has(`${table} ${cells}`)) wrong(`${name}: ${cells} is there twice`)
      found.add(`${table} ${cells}`)
    }
    for (const {id} of isThere ? all(isGone) : [])
      if (sandbox.core.store.find(table, Number(id))) wrong(`${name}: ${id} is marked as deleted`)
  }
  database.close()
  return found
}

/** Another person changes and removes sites and reads an alert, and a machine sells. */
function changeSomething({choices, sandbox: {core, add, nth}}: World, step: number, look: () => void) {
  const random = choices.of(`change ${step}`)
  const pick = (table: Table) => nth(table, Math.floor(random() * core.store.count(table)))
  const [site, gone, alert, batch] = [pick('site'), pick('site'), pick('alert'), pick('batch')]
  core.store.update('site', Number(site['id']), {...site, shippingAddress: `moved ${step}`}, {})
  if (random() < 0.3) core.store.remove('site', Number(gone['id']))
  core.store.update('alert', Number(alert['id']), {...alert, message: `seen ${step}`}, {})
  const recordedAtUtc = new Date(core.clock.now() - 60_000).toISOString().slice(0, -1)
  add('batch', {...batch, id: `B${8_000_000 + step}`, recordedAtUtc})
  look()
}
