import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {openExportState} from '../register/export-state.js'
import {stateNameOf} from './export-identity.js'

/**
 * Whether an earlier run began an export to this file that can be finished: not when the service sent fields that have
 * no column there, which only another file can hold. Throws a `CliFailure` (storage) at a damaged checkpoint.
 */
export function isUnfinished(folder: string, path: string): boolean {
  const file = join(folder, `${stateNameOf(path)}.db`)
  if (!existsSync(file)) return false
  const state = openExportState(file)
  try {
    const facts = state.facts()
    return facts !== undefined && (facts.lost === undefined || facts.lost === '[]')
  } finally {
    state.close()
  }
}
