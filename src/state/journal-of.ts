import {hostname} from 'node:os'
import type {BootMoment} from '../clock.js'
import type {Database} from '../sqlite.js'
import {dropBallast} from './ballast.js'
import {
  type JournalEvent,
  type JournalPart,
  type JournalRow,
  type NewPart,
  textOf,
  toEvent,
  toJournalRows,
  toPart,
} from './journal-entries.js'
import type {Evidence, PartState, RunFacts, RunOutcome} from './run-facts.js'
import {noteSentCount} from './sent-count.js'
import {stateFailure} from './state-failure.js'

export type PartChange = {state: PartState; answer?: string; how?: Evidence; doubt?: BootMoment; why: string}

export type Times = {now(): number; moment(): BootMoment}

/** The durable log of one run. Whatever returned survives a kill and a power cut. Throws `CliFailure` (storage). */
export type Journal = ReturnType<typeof toJournal>

/** The part table as `toPart` reads it. */
const wholeParts = 'SELECT part.*, body.text AS body FROM part JOIN body ON body.part = part.seq ORDER BY seq'

export function toJournal(database: Database, path: string, times: Times) {
  const note = (part: number | null, from: string | null, to: string, why: string): void => {
    database.run(
      'INSERT INTO event(at, part, from_state, to_state, why) VALUES (?, ?, ?, ?, ?)',
      ...[times.now(), part, from, to, why],
    )
  }
  const countSent = () => Number(database.get('SELECT sum(attempts) AS count FROM part')?.['count'])
  let sent: number | undefined
  const stateOf = (seq: number) => String(database.get('SELECT state FROM part WHERE seq = ?', seq)?.['state'])

  const journal = {
    path,
    note,
    /** All that the work changes is kept, or, when it throws, nothing. Throws `storage`. */
    transaction<Result>(work: () => Result): Result {
      try {
        return database.transaction(work)
      } catch (error) {
        throw stateFailure(error, 'The journal', path)
      }
    },
    /** A transaction of what the service has answered: on a full disk the ballast makes room for it, once. */
    keep<Result>(work: () => Result): Result {
      try {
        return journal.transaction(work)
      } catch (error) {
        if ((error as {code?: unknown}).code !== 'STATE_FULL' || !dropBallast(path)) throw error
        return journal.transaction(work)
      }
    },
    facts: (): RunFacts => JSON.parse(textOf(database.get('SELECT facts FROM run'), 'facts')) as RunFacts,
    outcome(): RunOutcome | undefined {
      const text = database.get('SELECT outcome FROM run')?.['outcome']
      return typeof text === 'string' ? (JSON.parse(text) as RunOutcome) : undefined
    },
    rows: (): Iterable<JournalRow> => toJournalRows(database.iterate('SELECT * FROM row ORDER BY place')),
    /** The digests of all rows, one character for each byte. */
    *digests(): Generator<string, void, void> {
      for (const row of database.iterate('SELECT DISTINCT digest FROM row'))
        yield Buffer.from(row['digest'] as Uint8Array).toString('latin1')
    },
    parts: (): JournalPart[] => database.all(wholeParts).map(toPart),
    /** The parts with empty texts for their bodies, which takes little memory. */
    partStates: (): JournalPart[] => database.all("SELECT *, '' AS body FROM part ORDER BY seq").map(toPart),
    /** Rows that this run leaves out from now on, because another run applied them or took them over. */
    skipRows(rows: Iterable<{place: number; skip: string; by: string; id?: string | undefined}>): void {
      for (const {place, skip, by, id} of rows)
        database.run(
          'UPDATE row SET skip = ?, by_run = ?, id = coalesce(?, id) WHERE place = ?',
          skip,
          by,
          id ?? null,
          place,
        )
    },
    /** Changes what a part will carry, which was not sent yet. */
    replaceBody(seq: number, body: string, bodyDigest: string): void {
      database.run('UPDATE body SET text = ? WHERE part = ?', body, seq)
      database.run('UPDATE part SET body_digest = ? WHERE seq = ?', bodyDigest, seq)
    },
    keepPreimages(preimages: Iterable<[string, string]>): void {
      for (const [key, record] of preimages) database.run('INSERT OR REPLACE INTO preimage VALUES (?, ?)', key, record)
    },
    /** Records as they were before, by natural key. */
    *preimages(): Generator<[string, string], void, void> {
      for (const row of database.iterate('SELECT * FROM preimage'))
        yield [textOf(row, 'natural_key'), textOf(row, 'record')]
    },
    bodyOf: (seq: number): string => textOf(database.get('SELECT text FROM body WHERE part = ?', seq), 'text'),
    events: (): JournalEvent[] => database.all('SELECT * FROM event ORDER BY seq').map(toEvent),
    addPart({parent, number, places, origin, body, bodyDigest}: NewPart): number {
      database.run(
        'INSERT INTO part(parent, number, places, origin, body_digest, state) VALUES (?, ?, ?, ?, ?, ?)',
        ...[parent, number, JSON.stringify(places), origin, bodyDigest, 'planned'],
      )
      const seq = Number(database.get('SELECT last_insert_rowid() AS seq')?.['seq'])
      database.run('INSERT INTO body VALUES (?, ?)', seq, body)
      return seq
    },
    /** Durable before the first byte leaves. */
    markSent(seq: number): void {
      journal.transaction(() => {
        const {boot, milliseconds} = times.moment()
        note(seq, stateOf(seq), 'sent', 'about to be sent')
        const sql =
          "UPDATE part SET state = 'sent', attempts = attempts + 1, sent_boot = ?, sent_at = ?, doubt_at = NULL WHERE seq = ?"
        database.run(sql, boot ?? null, milliseconds, seq)
      })
      sent = sent === undefined ? countSent() : sent + 1 // all sets are looked at once, and not for each set
      noteSentCount(path, sent)
    },
    /** Call it in a transaction, together with the parts that follow from it. */
    change(seq: number, {state, answer, how, doubt, why}: PartChange): void {
      note(seq, stateOf(seq), state, why)
      database.run(
        'UPDATE part SET state = ?, answer = coalesce(?, answer), how = ?, doubt_boot = ?, doubt_at = ? WHERE seq = ?',
        ...[state, answer ?? null, how ?? null, doubt?.boot ?? null, doubt?.milliseconds ?? null, seq],
      )
    },
    end(outcome: RunOutcome): void {
      journal.keep(() => {
        database.run('UPDATE run SET outcome = ?', JSON.stringify(outcome))
        note(null, null, outcome.exit, endedWords)
      })
    },
    /** Notes that its user was told how the run ended. */
    tell(): void {
      const {untold, ...outcome} = journal.outcome() ?? {}
      if (untold) database.run('UPDATE run SET outcome = ?', JSON.stringify(outcome))
    },
    /** The process that works on the run from now on; how it ended before is not how it ends. */
    own(): void {
      database.run('DELETE FROM owner')
      database.run('INSERT INTO owner VALUES (?, ?, ?)', process.pid, hostname(), times.now())
      database.run('UPDATE run SET outcome = NULL')
    },
    owner(): {pid: number; host: string; since: number} | undefined {
      const row = database.get('SELECT * FROM owner')
      return row && {pid: Number(row['pid']), host: String(row['host']), since: Number(row['since'])}
    },
    /** Changes facts that become known later. */
    learn(more: {[Name in keyof RunFacts]?: RunFacts[Name] | undefined}): void {
      database.run('UPDATE run SET facts = ?', JSON.stringify({...journal.facts(), ...more}))
    },
    /** Writes a copy without free pages into an empty file. Throws `storage`. */
    copyInto(file: string): void {
      try {
        database.run('VACUUM INTO ?', file)
      } catch (error) {
        throw stateFailure(error, 'The copy of the journal', file)
      }
    },
    close: () => database.close(),
  }
  return journal
}

/** The last event of a run whose outcome still holds. */
export const endedWords = 'ended'

/** Events by which a run changes hands, and nothing else of it. */
export const transfers = ['exported', 'kept', 'imported'] as const
