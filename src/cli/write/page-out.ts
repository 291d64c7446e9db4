import {systemClock} from '../../core/clock.js'
import {type CliFailure, usage} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import type {RunReport} from '../../runs/report/report.js'
import {readAccount} from '../../runs/report/run-account.js'
import {mostBytes, toRunPage} from '../../runs/report/run-page.js'
import type {RunOnPage} from '../../runs/report/run-tables.js'
import type {CommandContext} from '../app/command-context.js'
import {renderView, viewOf} from '../read/render-view.js'
import {writeAfterRun} from './annotations.js'
import {runFolderOf} from './own-runs.js'
import type {WriteFlags} from './write-flags.js'

export type PageOut = {
  path: string
  /** Writes the page about a run, or about both runs of an undo. Returns the failure to write it, if any. */
  write(report: RunReport, runIds: readonly string[]): Promise<CliFailure[]>
  discard(): Promise<void>
}

/** Opens the file of `--run-page`, which only its owner may read. Throws a `CliFailure` when it cannot be written. */
export async function openPageOut(
  {'run-page': path, overwrite = false}: Pick<WriteFlags, 'run-page' | 'overwrite'>,
  {commandName: command, environment}: CommandContext,
): Promise<PageOut | undefined> {
  if (path === undefined) return undefined
  const format = viewOf({'output-file': path})
  if (format === 'table') throw usage(`--run-page is HTML or Markdown: ${path}`, 'Name it such as run.html or run.md.')
  const file = await openAtomicFile(path, {overwrite, isPrivate: true})
  const describe = (report: RunReport, runIds: readonly string[]): RunOnPage => {
    const now = systemClock.now()
    const isOfOneRun = runIds.length === 1
    const runs = runIds
      .map((id) => readAccount(runFolderOf(environment), id, !report.dryRun && isOfOneRun))
      .sort((one, other) => one.loaded.facts.createdAt - other.loaded.facts.createdAt)
    const [first] = runs
    if (!first) return {report, facts: {command, file: report.file, ...identifyUser(), createdAt: now}, runs, now}
    return {report, facts: first.loaded.facts, ...(isOfOneRun && {account: first}), runs, isNew: true, now}
  }
  return {
    path,
    write: (report, runIds) =>
      writeAfterRun(file, () => renderView(format, toRunPage(describe(report, runIds)), mostBytes)),
    discard: file.discard,
  }
}
