import {existsSync} from 'node:fs'
import {type Database, openDatabase, type Row} from '../../core/sqlite.js'
import {textOf} from './journal-entries.js'
import type {RunFacts, RunOutcome} from './run-facts.js'
import {type RunFolder, runPath} from './run-folder.js'

/** What can be read of a journal that is damaged; nothing of it is proven. */
export type Salvaged = {
  facts?: RunFacts
  outcome?: RunOutcome
  parts: {set: number; rows: number; state: string}[]
  /** Whether the list of parts came to its end. */
  isWhole: boolean
}

const columns = 'SELECT seq, number, json_array_length(places) AS rows, state FROM part'

/** Reads what it can, from both ends, and changes no byte. */
export function salvage(folder: RunFolder, id: string): Salvaged {
  const path = runPath(folder, id)
  const database = attempt(() =>
    openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes: 4_096}),
  )
  if (!database) return {parts: [], isWhole: false}
  try {
    const run = attempt(() => database.get('SELECT facts, outcome FROM run'))
    const facts = attempt(() => toFacts(JSON.parse(textOf(run, 'facts'))))
    const outcome = attempt(() => toOutcome(JSON.parse(textOf(run, 'outcome'))))
    return {...(facts && {facts}), ...(outcome && {outcome}), ...salvageParts(database)}
  } finally {
    attempt(() => database.close())
  }
}

/** Throws for what has another shape by now. */
function toFacts(facts: RunFacts): RunFacts {
  new Date(facts.createdAt).toISOString()
  return facts
}

/** Throws for what has another shape by now. */
function toOutcome(outcome: RunOutcome): RunOutcome {
  Object.entries(outcome.rows)
  return outcome
}

function salvageParts(database: Database): Pick<Salvaged, 'parts' | 'isWhole'> {
  const found = new Map<number, Salvaged['parts'][number]>()
  const take = (sql: string) =>
    attempt(() => {
      for (const row of database.iterate(sql)) found.set(Number(row['seq']), toPart(row))
      return true
    }) ?? false
  const isWhole = take(`${columns} ORDER BY seq`)
  if (!isWhole) take(`${columns} ORDER BY seq DESC`)
  return {isWhole, parts: [...found].toSorted(([one], [other]) => one - other).map(([, part]) => part)}
}

function toPart(row: Row): Salvaged['parts'][number] {
  return {set: Number(row['number']), rows: Number(row['rows']), state: textOf(row, 'state')}
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
