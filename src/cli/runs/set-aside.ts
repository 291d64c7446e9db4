import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {lockRun, type RunFolder} from '../../core/run-id.js'
import {setAsideRegister} from '../../reports/register/export-register.js'
import {registerPath} from '../../reports/register/register-tables.js'
import {setAside} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {keepInAudit} from '../../runs/report/audit.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {runFolderOf} from '../write/own-runs.js'
import {findRun} from './find-run.js'
import {noChoice, type RemoveFlags} from './runs-remove.js'

/** Sets aside, under other names, journals or the register of exports that cannot be read. Throws `usage`. */
export function setAsideNamed(
  environment: Environment,
  ids: readonly string[],
  flags: RemoveFlags,
  note: (text: string) => void,
): {id: string; path: string}[] {
  if (ids.includes('exports')) return setAsideExports(environment, ids, note)
  const aside = setAsideRuns(runFolderOf(environment), ids, flags)
  for (const {id, path} of aside)
    note(`Set aside run ${id}: ${path}. The rows that it applied are no longer recognised.`)
  return aside
}

/** Throws `usage` for a register that can be read. */
function setAsideExports(environment: Environment, ids: readonly string[], note: (text: string) => void) {
  const path = registerPath(stateFolder(environment))
  const isRegister = ids.length === 1 && ids[0] === 'exports'
  const aside = isRegister ? setAsideRegister(path, systemClock.now()) : undefined
  if (aside !== undefined) {
    note(`Set aside: ${aside}. Earlier exports are no longer known; each --since-last needs --start once.`)
    return [{id: 'exports', path: aside}]
  }

  const why = isRegister ? `The register of exports can be read: ${path}` : '--damaged needs the name: exports'
  throw new CliFailure(`${why}; nothing was set aside.`, {code: 'NOT_DAMAGED'})
}

/** Throws `usage` for a journal that can be read. */
function setAsideRuns(
  folder: RunFolder,
  texts: readonly string[],
  {all = false, 'older-than': age}: RemoveFlags,
): {id: string; path: string}[] {
  if (texts.length === 0 || all || age !== undefined) throw noChoice(texts.length === 0 ? 0 : 2)
  const ids = [...new Set(texts.map((text) => findRun(folder, text)))]
  for (const id of ids) if (!isUnusable(folder, id)) throw notDamaged(id)
  return ids.map((id) => {
    const lock = lockRun(folder, id)
    try {
      keepInAudit(folder, id)
      return {id, path: setAside(folder, id)}
    } finally {
      lock.remove()
    }
  })
}

function isUnusable(folder: RunFolder, id: string): boolean {
  const state = readSummary(folder, id)?.state
  return state === 'damaged' || state === 'newer' || state === 'unsafe' || state === 'unreadable'
}

function notDamaged(id: string): CliFailure {
  return new CliFailure(`The journal of run ${id} can be read; nothing was set aside.`, {
    code: 'NOT_DAMAGED',
    hints: [`See what it says: ${commandLine('runs show', [id])}`, `To remove it: ${commandLine('runs remove', [id])}`],
  })
}
