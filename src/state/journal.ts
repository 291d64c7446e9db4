import {hostname} from 'node:os'
import type {BootMoment} from '../clock.js'
import type {Database} from '../sqlite.js'
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
import {journalTables, journalVersion} from './journal-tables.js'
import {openState} from './open-state.js'
import type {Evidence, PartState, RunFacts, RunOutcome} from './run-facts.js'
import {type RunFolder, runPath} from './run-folder.js'
import {stateFailure} from './state-failure.js'

export type PartChange = {state: PartState; answer?: string; how?: Evidence; doubt?: BootMoment; why: string}

export type Times = {now(): number; moment(): BootMoment}

/** The durable log of one run. Whatever returned survives a kill and a power cut. Throws `CliFailure` (storage). */
export type Journal = ReturnType<typeof toJournal>

/** Makes the journal of a new run with its facts, rows and sets, in one transaction. */
export function createJournal(
  folder: RunFolder,
  facts: RunFacts,
  content: {rows: Iterable<JournalRow>; parts: Iterable<NewPart>; preimages?: Iterable<[string, string]>},
  times: Times,
): {journal: Journal; seqs: number[]} {
  const path = runPath(folder, facts.id)
  const database = openJournalFile(path, facts.id)
  const journal = toJournal(database, path, times)
  const seqs: number[] = []
  journal.transaction(() => {
    database.run('INSERT INTO run(id, facts) VALUES (?, ?)', facts.id, JSON.stringify(facts))
    for (const {place, line, digest, naturalKey, id, skip} of content.rows)
      database.run('INSERT INTO row VALUES (?, ?, ?, ?, ?, ?)', place, line, digest, naturalKey, id, skip)
    for (const part of content.parts) seqs.push(journal.addPart(part))
    for (const [key, record] of content.preimages ?? [])
      database.run('INSERT OR REPLACE INTO preimage VALUES (?, ?)', key, record)
    journal.own()
    journal.note(null, null, 'planned', `${facts.command} from ${facts.file}`)
  })
  return {journal, seqs}
}

/** Opens the journal of a run that is known to exist. */
export function openJournal(folder: RunFolder, id: string, times: Times): Journal {
  const path = runPath(folder, id)
  return toJournal(openJournalFile(path, id), path, times)
}

function openJournalFile(path: string, id: string): Database {
  return openState({path, version: journalVersion, schema: journalTables, what: `The journal of run ${id}`})
}

function toJournal(database: Database, path: string, times: Times) {
  const note = (part: number | null, from: string | null, to: string, why: string): void => {
    database.run(
      'INSERT INTO event(at, part, from_state, to_state, why) VALUES (?, ?, ?, ?, ?)',
      ...[times.now(), part, from, to, why],
    )
  }
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
    facts: (): RunFacts => JSON.parse(textOf(database.get('SELECT facts FROM run'), 'facts')) as RunFacts,
    outcome(): RunOutcome | undefined {
      const text = database.get('SELECT outcome FROM run')?.['outcome']
      return typeof text === 'string' ? (JSON.parse(text) as RunOutcome) : undefined
    },
    rows: (): Iterable<JournalRow> => toJournalRows(database.iterate('SELECT * FROM row ORDER BY place')),
    parts: (): JournalPart[] => database.all('SELECT * FROM part ORDER BY seq').map(toPart),
    /** Records as they were before, by natural key. */
    *preimages(): Generator<[string, string], void, void> {
      for (const row of database.iterate('SELECT * FROM preimage'))
        yield [textOf(row, 'natural_key'), textOf(row, 'record')]
    },
    bodyOf: (seq: number): string => textOf(database.get('SELECT body FROM part WHERE seq = ?', seq), 'body'),
    events: (): JournalEvent[] => database.all('SELECT * FROM event ORDER BY seq').map(toEvent),
    addPart({parent, number, places, origin, body, bodyDigest}: NewPart): number {
      database.run(
        'INSERT INTO part(parent, number, places, origin, body, body_digest, state) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[parent, number, JSON.stringify(places), origin, body, bodyDigest, 'planned'],
      )
      return Number(database.get('SELECT last_insert_rowid() AS seq')?.['seq'])
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
      journal.transaction(() => {
        database.run('UPDATE run SET outcome = ?', JSON.stringify(outcome))
        note(null, null, outcome.exit, 'ended')
      })
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
    learn(more: Partial<RunFacts>): void {
      database.run('UPDATE run SET facts = ?', JSON.stringify({...journal.facts(), ...more}))
    },
    close: () => database.close(),
  }
  return journal
}
