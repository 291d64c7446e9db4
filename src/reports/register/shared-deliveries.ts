import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {DeliveryState} from './deliveries.js'
import {ofName, type SharedName} from './shared-lock.js'

/** A file that is not known to be delivered, on the disk of another machine, which may be gone. */
export type WaitingElsewhere = {path: string; host: string; rows: number; from: string; to: string}

type Place = {named: SharedName; machine: Machine}

const isOpen = `delivery = 'outstanding'`

/** Files of a name that wait for their delivery on other machines, oldest first. */
export async function readWaiting(session: Postgres, {named, machine}: Place): Promise<WaitingElsewhere[]> {
  const columns = 'path, host, rows, range_from, range_to'
  const sql = `SELECT ${columns} FROM vendorctl.mark_finished WHERE ${ofName} AND ${isOpen} AND machine <> $4 ORDER BY at, id`
  return (await session.all(sql, named.key, named.name, named.scope, machine.id)).map(toWaiting)
}

/** Tells the others what became of a file of this machine. */
export async function settleWaiting(
  session: Postgres,
  {named, machine}: Place,
  {path, state}: {path: string; state: DeliveryState},
): Promise<void> {
  const sql = `UPDATE vendorctl.mark_finished SET delivery = $6 WHERE ${ofName} AND ${isOpen} AND machine = $4 AND path = $5`
  await session.run(sql, named.key, named.name, named.scope, machine.id, path, state)
}

/** No machine waits any more for what others have not delivered. */
export async function giveUpWaiting(session: Postgres, {named, machine}: Place): Promise<void> {
  const sql = `UPDATE vendorctl.mark_finished SET delivery = 'given up' WHERE ${ofName} AND ${isOpen} AND machine <> $4`
  await session.run(sql, named.key, named.name, named.scope, machine.id)
}

function toWaiting({path, host, rows, range_from: from, range_to: to}: PostgresRow): WaitingElsewhere {
  return {path: String(path), host: String(host), rows: Number(rows), from: String(from), to: String(to)}
}
