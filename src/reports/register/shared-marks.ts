import {type Clock, pause} from '../../core/clock.js'
import type {Machine} from '../../core/machine.js'
import type {Postgres} from '../../core/postgres.js'
import type {Covered} from './export-register.js'
import type {Named} from './named-marks.js'
import type {DeliveryState} from './outstanding-deliveries.js'
import {
  describeShared,
  endOwnSession,
  findHolder,
  giveBack,
  isAway,
  lockedElsewhere,
  lostTurn,
  ofName,
  prepareSession,
  type SharedName,
  tryTake,
} from './shared-lock.js'
import {addCovered, type InSession, openTurn, putCovered, readMark, type Turn, toCovered} from './shared-turn.js'

export type SharedMarks = ReturnType<typeof createSharedMarks>

export type SharedOptions = {
  open: () => Promise<Postgres>
  /** Digest of the key and the service. */
  key: string
  machine: Machine
  process: {pid: number; command: string}
  clock: Clock
  signal?: AbortSignal
}

/** A file that is not known to be delivered, on the disk of another machine, which may be gone. */
export type WaitingElsewhere = {path: string; host: string; rows: number; from: string; to: string}

/** Pauses between tries to reach the store again; a silent store is not tried for longer than this in all. */
const pausesMilliseconds = [200, 1_000, 2_000]
const patienceMilliseconds = 3_000
/** Time for the end of a session of this run that the server does not know to be lost. */
const [endMilliseconds, endTries] = [50, 20]

/** Marks, locks and records of named exports that all machines share. The store is reached when it is first needed. */
export function createSharedMarks(options: SharedOptions) {
  const {open, key, machine, process, clock, signal} = options
  let known: Postgres | undefined
  let lockedName: {named: SharedName; token: string} | undefined
  const asking = (token: string) => ({machine, token, ...process})
  const forget = async () => {
    await known?.close().catch(() => undefined)
    known = undefined
  }

  /** The session of this run; a new one takes the lock of the old one again, or throws `locked`. */
  const session = async (): Promise<Postgres> => {
    if (known && !known.lost.aborted) return known
    await forget()
    const opened = await open()
    try {
      await prepareSession(opened)
      if (lockedName) await takeAgain(opened, lockedName)
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
        await forget()
        await pause(milliseconds, clock, signal)
      }
    }
  }
  const run = async (sql: string, ...values: string[]): Promise<void> => {
    await inSession((one) => one.run(sql, ...values))
  }
  const waiting = `WHERE ${ofName} AND delivery = 'outstanding'`

  return {
    /** Throws `locked` while another run has it, naming the machine. */
    async take({name, scope}: Named): Promise<Turn> {
      const named = {key, name, scope}
      const token = crypto.randomUUID()
      const first = await session()
      if (!(await tryTake(first, named, asking(token)))) {
        const holder = await findHolder(first, named)
        throw lockedElsewhere(named, holder && describeShared(holder))
      }
      lockedName = {named, token}
      const release = async () => {
        lockedName = undefined
        if (known && !known.lost.aborted) await giveBack(known, named, token).catch(() => undefined) // it ends with its session
      }
      try {
        return await openTurn(first, {named, machine, inSession, release})
      } catch (error) {
        await release()
        throw error
      }
    },
    read: ({name, scope}: Named) => inSession((one) => readMark(one, {key, name, scope})),
    /** Adds what this machine has read. */
    cover: (scope: string, covered: readonly Covered[]): Promise<void> =>
      inSession((one) => one.transaction(() => putCovered(one, {key, scope, machine}, covered))),
    /** Adds what this machine read before, or could not tell the others. */
    share: (scope: string, covered: readonly Covered[]) =>
      inSession((one) => addCovered(one, {key, scope, machine}, covered)),
    /** Ranges that other machines have read. */
    coveredElsewhere: (scope: string): Promise<Covered[]> =>
      inSession(async (one) => {
        const columns = 'window_from, window_to, grade, file'
        const sql = `SELECT ${columns} FROM vendorctl.covered WHERE key = $1 AND scope = $2 AND machine <> $3`
        return (await one.all(sql, key, scope, machine.id)).map(toCovered)
      }),
    /** Files of a name that other machines have not delivered, as far as known, oldest first. */
    waitingElsewhere: ({name, scope}: Named): Promise<WaitingElsewhere[]> =>
      inSession(async (one) => {
        const columns = 'path, host, rows, range_from, range_to'
        const sql = `SELECT ${columns} FROM vendorctl.mark_finished ${waiting} AND machine <> $4 ORDER BY at, id`
        const rows = await one.all(sql, key, name, scope, machine.id)
        return rows.map(({path, host, rows: count, range_from: from, range_to: to}) => ({
          ...{path: String(path), host: String(host), rows: Number(count), from: String(from), to: String(to)},
        }))
      }),
    /** Tells the others what became of a file of this machine. */
    settle: ({name, scope}: Named, {path, state}: {path: string; state: DeliveryState}) =>
      run(
        `UPDATE vendorctl.mark_finished SET delivery = $6 ${waiting} AND machine = $4 AND path = $5`,
        ...[key, name, scope, machine.id, path, state],
      ),
    /** Waits no more for what others have not delivered. */
    giveUpElsewhere: ({name, scope}: Named) =>
      run(
        `UPDATE vendorctl.mark_finished SET delivery = 'given up' ${waiting} AND machine <> $4`,
        ...[key, name, scope, machine.id],
      ),
    close: forget,
  }
}
