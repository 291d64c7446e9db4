import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {stateNameOf} from '../../reports/export/export-identity.js'
import {makeRunId} from '../../runs/journal/run-folder.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {wordsAgain} from './export-again.js'
import type {OneExport} from './run-export.js'

/** What the list of runs and the count of requests learn of an export. */
export type ExportRecord = {
  command: string
  /** Finished ones are forgotten after so many days. */
  keepDays: number
  nameRun: (id: string) => void
}

/** Gives an export to this file its id when it begins, and finds it again when it goes on. */
export function recordBegin({register, record, engine, flags}: OneExport, file: string): (isNew: boolean) => void {
  const {source, clock, folder} = engine
  const {command, keepDays, nameRun} = record
  const {profile, stage} = source
  const path = resolve(file)
  return (isNew) => {
    const now = clock.now()
    register.tidyRuns(now - keepDays * millisecondsPerDay, (name) => existsSync(join(folder, `${name}.db`)))
    const id = register.startRun({
      name: stateNameOf(file),
      facts: {command, file, path, ...wordsAgain(command, flags, path), profile, stage},
      createdAt: now,
      isNew,
      makeId: () => makeRunId(now, Math.random),
    })
    nameRun(id)
  }
}
