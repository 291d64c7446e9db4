import {existsSync} from 'node:fs'
import {openDatabase} from '../../core/sqlite.js'
import {textOf} from './journal-entries.js'
import type {RunFacts, RunOutcome} from './run-facts.js'
import {type RunFolder, runPath} from './run-folder.js'

/** What can still be read of a damaged journal, unproven: whoever sets it aside must know which rows it was about. */
export type DamagedJournal = {
  facts?: RunFacts
  outcome?: RunOutcome
  parts: {set: number; rows: number; state: string}[]
  /** Whether the list of parts could be read to its end. */
  isComplete: boolean
}

/** Reads what it can and changes no byte. */
export function readDamaged(folder: RunFolder, id: string): DamagedJournal {
  const found: DamagedJournal = {parts: [], isComplete: false}
  const path = runPath(folder, id)
  attempt(() => {
    const database = openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes: 4_096})
    try {
      const read = (column: string) => JSON.parse(textOf(database.get(`SELECT ${column} AS text FROM run`), 'text'))
      attempt(() => {
        const facts = read('facts') as RunFacts
        new Date(facts.createdAt).toISOString() // throws where damage changed its shape
        found.facts = facts
      })
      attempt(() => {
        const outcome = read('outcome') as RunOutcome
        Object.entries(outcome.rows)
        found.outcome = outcome
      })
      for (const row of database.iterate('SELECT number, json_array_length(places) AS rows, state FROM part'))
        found.parts.push({set: Number(row['number']), rows: Number(row['rows']), state: textOf(row, 'state')})
      found.isComplete = true
    } finally {
      database.close()
    }
  })
  return found
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // what cannot be read is left out
  }
}
