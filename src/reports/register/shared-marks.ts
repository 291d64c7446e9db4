import {type Clock, pause} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Machine} from '../../core/machine.js'
import type {Postgres} from '../../core/postgres.js'
import type {DeliveryState} from './deliveries.js'
import type {Named} from './named-runs.js'
import {giveUpWaiting, readWaiting, settleWaiting, type WaitingElsewhere} from './shared-deliveries.js'
import {heldElsewhere, lostTurn} from './shared-failures.js'
import {
  describeShared,
  endOwnSession,
  findHolder,
  giveBack,
  prepareSession,
  type SharedName,
  tryTake,
} from './shared-lock.js'
import {addCovered, putCovered, readMark, toCovered} from './shared-rows.js'
import {type InSession, openTurn} from './shared-turn.js'
import type {SharedMark, Turn} from './shared-types.js'
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
        throw heldElsewhere(named, holder && describeShared(holder))
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
