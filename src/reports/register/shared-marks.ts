import {type Clock, pause} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {NamedExport} from './list-named.js'
import {type Named, parseNamed} from './named-marks.js'
import type {DeliveryState} from './outstanding-deliveries.js'
import {
  describeShared,
  endOwnSession,
  findHolder,
  giveBack,
  isLockedNow,
  lockedElsewhere,
  lostTurn,
  ofName,
  prepareSession,
  type SharedName,
  toHolder,
  tryTake,
} from './shared-lock.js'
import {
  addCovered,
  type InSession,
  openTurn,
  putCovered,
  readMark,
  type SharedMark,
  type Turn,
  toCovered,
} from './shared-turn.js'
import type {Covered} from './written-files.js'

export type SharedMarks = {
  /** Throws `locked` while another run has it, naming the machine. */
  take(named: Named): Promise<Turn>
  read(named: Named): Promise<SharedMark>
  /** Adds what this machine has read. */
  cover(scope: string, covered: readonly Covered[]): Promise<void>
  /** Adds what this machine read before, or could not tell the others. */
  share(scope: string, covered: readonly Covered[]): Promise<void>
  /** What other machines have read. */
  coveredElsewhere(scope: string): Promise<Covered[]>
  /** Files of a name that other machines have not delivered, as far as is known. */
  waitingElsewhere(named: Named): Promise<WaitingElsewhere[]>
  /** Tells the others what became of a file. */
  settle(named: Named, file: {path: string; state: DeliveryState}): Promise<void>
  /** Waits no more for what others have not delivered. */
  giveUpElsewhere(named: Named): Promise<void>
  close(): Promise<void>
}

export type SharedOptions = {
  open: () => Promise<Postgres>
  /** Of the key and the service. */
  key: string
  machine: Machine
  process: {pid: number; command: string}
  clock: Clock
  signal?: AbortSignal
}

/** Between the tries to reach the store again; a store that stands still is not tried for longer than this in all. */
const pausesMilliseconds = [200, 1_000, 2_000]
const patienceMilliseconds = 3_000
/** How long a session of this run that the server does not know to be lost may take to end. */
const [endMilliseconds, endTries] = [50, 20]

/** Marks, locks and records of named exports that all machines share. The store is reached when it is first needed. */
export function createSharedMarks(options: SharedOptions): SharedMarks {
  const {open, key, machine, process, clock, signal} = options
  let known: Postgres | undefined
  let held: {named: SharedName; token: string} | undefined
  const asking = (token: string) => ({machine, token, ...process})

  /** The session of this run; a new one takes the lock of the old one again, or throws `locked`. */
  const session = async (): Promise<Postgres> => {
    if (known && !known.lost.aborted) return known
    await known?.close().catch(() => undefined)
    known = undefined
    const opened = await open()
    try {
      await prepareSession(opened)
      if (held) await takeAgain(opened, held)
    } catch (error) {
      await opened.close().catch(() => undefined)
      throw error
    }
    known = opened
    return opened
  }

  const takeAgain = async (opened: Postgres, {named, token}: {named: SharedName; token: string}) => {
    await endOwnSession(opened, token)
    for (let tries = endTries; !(await tryTake(opened, named, asking(token))); tries--) {
      const holder = await findHolder(opened, named)
      const isOther = holder && (holder.machine !== machine.id || holder.pid !== process.pid)
      if (isOther || tries === 0) throw lostTurn(named, holder)
      await pause(endMilliseconds, clock, signal)
    }
  }

  const inSession: InSession = async (work) => {
    const end = clock.monotonic() + patienceMilliseconds
    for (let tries = 0; ; tries++) {
      try {
        return await work(await session())
      } catch (error) {
        const milliseconds = pausesMilliseconds[tries]
        if (milliseconds === undefined || clock.monotonic() > end || !isAway(error)) throw error
        await known?.close().catch(() => undefined)
        known = undefined
        await pause(milliseconds, clock, signal)
      }
    }
  }

  const placeOf = ({name, scope}: Named) => ({named: {key, name, scope}, machine})

  return {
    async take(given) {
      const named = {key, name: given.name, scope: given.scope}
      const token = crypto.randomUUID()
      const first = await session()
      if (!(await tryTake(first, named, asking(token)))) {
        const holder = await findHolder(first, named)
        throw lockedElsewhere(named, holder && describeShared(holder))
      }
      held = {named, token}
      const release = async () => {
        held = undefined
        if (known && !known.lost.aborted) await giveBack(known, named, token).catch(() => undefined) // it ends with its session
      }
      try {
        return Object.assign(await openTurn(first, {named, machine, inSession}), {release})
      } catch (error) {
        await release()
        throw error
      }
    },
    read: ({name, scope}) => inSession((one) => readMark(one, {key, name, scope})),
    cover: (scope, covered) =>
      inSession((one) => one.transaction(() => putCovered(one, {key, scope, machine}, covered))),
    share: (scope, covered) => inSession((one) => addCovered(one, {key, scope, machine}, covered)),
    coveredElsewhere: (scope) =>
      inSession(async (one) => {
        const columns = 'window_from, window_to, grade, file'
        const sql = `SELECT ${columns} FROM vendorctl.covered WHERE key = $1 AND scope = $2 AND machine <> $3`
        return (await one.all(sql, key, scope, machine.id)).map(toCovered)
      }),
    waitingElsewhere: (named) => inSession((one) => readWaiting(one, placeOf(named))),
    settle: (named, file) => inSession((one) => settleWaiting(one, placeOf(named), file)),
    giveUpElsewhere: (named) => inSession((one) => giveUpWaiting(one, placeOf(named))),
    async close() {
      await known?.close().catch(() => undefined)
      known = undefined
    },
  }
}

/** A store that cannot be reached at the moment, as opposed to one that refuses. */
export function isAway(error: unknown): error is CliFailure {
  return error instanceof CliFailure && error.exit === 'unavailable'
}

/** A file that is not known to be delivered, on the disk of another machine, which may be gone. */
export type WaitingElsewhere = {path: string; host: string; rows: number; from: string; to: string}

type Place = {named: SharedName; machine: Machine}

const isOpen = `delivery = 'outstanding'`

/** Files of a name that wait for their delivery on other machines, oldest first. */
async function readWaiting(session: Postgres, {named, machine}: Place): Promise<WaitingElsewhere[]> {
  const columns = 'path, host, rows, range_from, range_to'
  const sql = `SELECT ${columns} FROM vendorctl.mark_finished WHERE ${ofName} AND ${isOpen} AND machine <> $4 ORDER BY at, id`
  return (await session.all(sql, named.key, named.name, named.scope, machine.id)).map(toWaiting)
}

/** Tells the others what became of a file of this machine. */
async function settleWaiting(
  session: Postgres,
  {named, machine}: Place,
  {path, state}: {path: string; state: DeliveryState},
): Promise<void> {
  const sql = `UPDATE vendorctl.mark_finished SET delivery = $6 WHERE ${ofName} AND ${isOpen} AND machine = $4 AND path = $5`
  await session.run(sql, named.key, named.name, named.scope, machine.id, path, state)
}

/** No machine waits any more for what others have not delivered. */
async function giveUpWaiting(session: Postgres, {named, machine}: Place): Promise<void> {
  const sql = `UPDATE vendorctl.mark_finished SET delivery = 'given up' WHERE ${ofName} AND ${isOpen} AND machine <> $4`
  await session.run(sql, named.key, named.name, named.scope, machine.id)
}

function toWaiting({path, host, rows, range_from: from, range_to: to}: PostgresRow): WaitingElsewhere {
  return {path: String(path), host: String(host), rows: Number(rows), from: String(from), to: String(to)}
}

const select = `
  SELECT mark.key, mark.name, mark.scope, mark.at, mark.next_start, mark.facts, mark.last, mark.host AS moved_by,
    coalesce(mark.manifest = '' AND mark.keys = '[]', false)::int AS is_from_nothing,
    holder.machine, holder.host, holder.pid, holder.command, (extract(epoch FROM holder.since) * 1000)::bigint AS since,
    announced.host AS announced_by, announced.finished::json #>> '{file,path}' AS announced
  FROM vendorctl.mark
  LEFT JOIN (SELECT * FROM vendorctl.mark_holder WHERE ${isLockedNow}) AS holder USING (key, name, scope)
  LEFT JOIN vendorctl.mark_announced AS announced
    ON announced.key = mark.key AND announced.name = mark.name AND announced.scope = mark.scope
      AND announced.version = mark.version
  WHERE mark.facts IS NOT NULL OR mark.at IS NOT NULL OR holder.host IS NOT NULL
  ORDER BY mark.name, mark.scope
`

/** All names as all machines see them, with what this machine knows of its own files. */
export async function listShared(session: Postgres, local: readonly NamedExport[]): Promise<NamedExport[]> {
  const rows = (await session.all(select)).map(toNamed)
  const isOf = (one: NamedExport, other: NamedExport) => one.name === other.name && one.scope === other.scope
  const shared = rows.map((row) =>
    merge(
      row,
      local.find((one) => isOf(one, row)),
    ),
  )
  const alone = local
    .filter((one) => !rows.some((row) => isOf(one, row)))
    .map((one) => (one.mark?.nextStart === undefined ? one : {...one, isUnshared: true as const}))
  return [...shared, ...alone].sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

/** Unfinished and undelivered files are of this machine; the mark and who reads now are of all. */
function merge(row: NamedExport, local: NamedExport | undefined): NamedExport {
  if (!local) return row
  const {mark: _, last: __, holder: ___, facts, state, ...own} = local
  const isLeft = row.state !== 'running' && local.file !== undefined
  const {undelivered: ____, ...shared} = row
  return {...own, ...shared, facts: {...facts, ...row.facts}, state: isLeft ? state : row.state}
}

function toNamed(row: PostgresRow): NamedExport {
  const {key, name, scope, at, next_start: nextStart, moved_by: host, announced, announced_by: by} = row
  const isHeld = typeof row['host'] === 'string'
  const known =
    row['facts'] === null ? {facts: {}} : parseNamed({facts: row['facts'] ?? '{}', last: row['last'] ?? null})
  return {
    ...{key: String(key), name: String(name), scope: String(scope), undelivered: []},
    ...known,
    state: isHeld ? 'running' : at === null ? 'new' : 'done',
    ...(isHeld && {holder: describeShared(toHolder(row))}),
    ...(typeof host === 'string' && {host}),
    ...(typeof at === 'string' && {
      mark: {
        ...{at, nextStart: String(nextStart)},
        ...(row['is_from_nothing'] === '1' && {isFromNothing: true as const}),
      },
    }),
    ...(typeof announced === 'string' && {announced: {path: announced, host: String(by)}}),
  }
}
