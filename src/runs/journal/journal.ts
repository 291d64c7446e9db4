import {type BootMoment, bootMoment, systemClock} from '../../core/clock.js'
import {identifyUser} from '../../core/machine.js'
import type {Database} from '../../core/sqlite.js'
import {damaged, stateFailure} from '../../core/state-failure.js'
import {freeReserve} from './disk-reserve.js'
import {
  type Evidence,
  type JournalEvent,
  type JournalPart,
  type JournalRow,
  type NewPart,
  type PartState,
  type RunFacts,
  type RunOutcome,
  textOf,
  toEvent,
  toJournalRows,
  toPart,
} from './journal-entries.js'
import {changeRun, digestOfBody, insertSealed, sealAgain} from './journal-seals.js'
import {writeSentCounter} from './sent-counter.js'

export type PartChange = {state: PartState; answer?: string; how?: Evidence; doubt?: BootMoment; why: string}

/**
 * The durable log of one run. Whatever returned survives a kill and a power cut. Throws `CliFailure` (storage). A step
 * takes the time of its set, not of the run; rows and preimages are read one by one, sets and events all together.
 */
export type Journal = ReturnType<typeof toJournal>

export function toJournal(database: Database, path: string) {
  const note = (part: number | null, from: string | null, to: string, why: string): void => {
    database.run(insertSealed('event'), systemClock.now(), part, from, to, why)
  }
  let sent: number | undefined
  const sealPart = (seq: number) => database.run(sealAgain('part', 'seq = ?'), seq)
  const stateOf = (seq: number) => String(database.get('SELECT state FROM part WHERE seq = ?', seq)?.['state'])
  const standingOf = (seq: number): Pick<PartChange, 'state' | 'doubt'> => {
    const row = database.get('SELECT * FROM part WHERE seq = ?', seq)
    const {state, doubt} = row ? toPart(row) : {state: 'planned' as const}
    return {state, ...(doubt && {doubt})}
  }
  /** How parts stood before they were marked as sent, until an answer is kept. */
  const unmarked = new Map<number, Pick<PartChange, 'state' | 'doubt'>>()

  const journal = {
    path,
    note,
    /** Keeps all changes of the work, or, when it throws, none. Throws `storage`. */
    transaction<Result>(work: () => Result): Result {
      try {
        return database.transaction(work)
      } catch (error) {
        throw stateFailure(error, 'The journal', path)
      }
    },
    /** A transaction for an answer of the service: on a full disk the reserve is freed for it, once. */
    keep<Result>(work: () => Result): Result {
      try {
        return journal.transaction(work)
      } catch (error) {
        if ((error as {code?: unknown}).code !== 'STATE_FULL' || !freeReserve(path)) throw error
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
      for (const row of database.iterate('SELECT digest FROM row ORDER BY place'))
        yield Buffer.from(row['digest'] as Uint8Array).toString('latin1')
    },
    parts: (): JournalPart[] => database.all('SELECT * FROM part ORDER BY seq').map(toPart),
    /** Leaves out rows that another run applied or took over. */
    skipRows(rows: Iterable<{place: number; skip: string; by: string; id?: string | undefined}>): void {
      const skipRow = 'UPDATE row SET skip = ?, by_run = ?, id = coalesce(?, id) WHERE place = ?'
      for (const {place, skip, by, id} of rows) {
        database.run(skipRow, skip, by, id ?? null, place)
        database.run(sealAgain('row', 'place = ?'), place)
      }
    },
    /** Changes the body of a part of which nothing was applied. */
    replaceBody(seq: number, body: string): void {
      database.run('UPDATE body SET text = ? WHERE part = ?', body, seq)
      database.run('UPDATE part SET body_digest = ? WHERE seq = ?', digestOfBody(body), seq)
      sealPart(seq)
    },
    keepPreimages(preimages: Iterable<[string, string]>): void {
      for (const [key, record] of preimages) database.run(insertSealed('preimage', 'INSERT OR REPLACE'), key, record)
    },
    /** Records as they were before the write, by natural key. */
    *preimages(): Generator<[string, string], void, void> {
      for (const row of database.iterate('SELECT * FROM preimage'))
        yield [textOf(row, 'natural_key'), textOf(row, 'record')]
    },
    /** The body of a part. Throws `storage` when it is not as it was written. */
    bodyOf(seq: number): string {
      const row = database.get('SELECT text, body_digest FROM part JOIN body ON body.part = seq WHERE seq = ?', seq)
      const body = textOf(row, 'text')
      if (digestOfBody(body) !== textOf(row, 'body_digest')) throw damaged('The journal', path)
      return body
    },
    events: (): JournalEvent[] => database.all('SELECT * FROM event ORDER BY seq').map(toEvent),
    addPart({parent, number, places, origin, body}: NewPart): number {
      database.run(
        'INSERT INTO part(parent, number, places, origin, body_digest, state) VALUES (?, ?, ?, ?, ?, ?)',
        ...[parent, number, JSON.stringify(places), origin, digestOfBody(body), 'planned'],
      )
      const seq = Number(database.get('SELECT last_insert_rowid() AS seq')?.['seq'])
      sealPart(seq)
      database.run('INSERT INTO body VALUES (?, ?)', seq, body)
      return seq
    },
    /**
     * Durable before the first byte leaves; `body`: what leaves, where it is made only now. Throws `storage`; the part is
     * not marked then.
     */
    markSent(seq: number, body?: string): void {
      const before = journal.transaction(() => {
        const standing = unmarked.get(seq) ?? standingOf(seq)
        if (body !== undefined) journal.replaceBody(seq, body)
        const {boot, milliseconds} = bootMoment()
        note(seq, stateOf(seq), 'sent', 'about to be sent')
        const sql =
          "UPDATE part SET state = 'sent', attempts = attempts + 1, sent_boot = ?, sent_at = ?, doubt_at = NULL WHERE seq = ?"
        database.run(sql, boot ?? null, milliseconds, seq)
        sealPart(seq)
        return standing
      })
      unmarked.set(seq, before)
      sent = sent === undefined ? countSent(database) : sent + 1 // summed once, not for each set
      try {
        writeSentCounter(path, journal.facts(), sent)
      } catch (error) {
        journal.transaction(() => journal.change(seq, {...before, why: 'not sent: it could not be counted'}))
        throw error
      }
    },
    /** Whether a part is marked as sent, and no answer was kept since. */
    isMarked: (seq: number) => unmarked.has(seq),
    /** Call it in a transaction, together with the parts that follow from it. */
    change(seq: number, {state, answer, how, doubt, why}: PartChange): void {
      note(seq, stateOf(seq), state, why)
      unmarked.delete(seq)
      database.run(
        'UPDATE part SET state = ?, answer = coalesce(?, answer), how = ?, doubt_boot = ?, doubt_at = ? WHERE seq = ?',
        ...[state, answer ?? null, how ?? null, doubt?.boot ?? null, doubt?.milliseconds ?? null, seq],
      )
      sealPart(seq)
    },
    end(outcome: RunOutcome): void {
      journal.keep(() => {
        database.run(changeRun('outcome'), JSON.stringify(outcome))
        note(null, null, outcome.exit, endedWords)
      })
    },
    /** Records that the outcome was reported to the user. */
    markReported(): void {
      const {untold, ...outcome} = journal.outcome() ?? {}
      if (untold) database.run(changeRun('outcome'), JSON.stringify(outcome))
    },
    /** Makes this process the owner of the run, whose former outcome is void then; `how`: it continues the run. */
    own(how?: 'resumed' | 'reconciled'): void {
      const {user, host} = identifyUser()
      database.run('DELETE FROM owner')
      database.run('INSERT INTO owner VALUES (?, ?, ?)', process.pid, host, systemClock.now())
      if (how) note(null, null, how, `by ${user} on ${host}`)
      database.run(changeRun('outcome'), null)
    },
    /** Changes facts that become known later. */
    learn(more: {[Name in keyof RunFacts]?: RunFacts[Name] | undefined}): void {
      database.run(changeRun('facts'), JSON.stringify({...journal.facts(), ...more}))
    },
    close: () => database.close(),
  }
  return journal
}

/** The last event of a run whose outcome is valid. */
export const endedWords = 'ended'

/** Write requests that a journal says were sent. */
export function countSent(database: Database): number {
  return Number(database.get('SELECT sum(attempts) AS count FROM part')?.['count'] ?? 0)
}
