import type {WriteId} from '../../contract/index.js'
import {stateFolder} from '../../core/folders.js'
import type {ClockReader} from '../../runs/differences/quiet-time.js'
import type {Journal} from '../../runs/journal/journal.js'
import {createSeals} from '../../runs/report/rejects-seal.js'
import type {Files} from '../../runs/write/needs.js'
import {defined} from '../../values/defined.js'
import type {CommandContext} from '../app/command-context.js'
import {rowFlags} from './input-flags.js'
import type {PageOut} from './page-out.js'
import {openPlanOut, type PlanOut} from './plan-file-out.js'
import {lintHints} from './render-problems.js'
import {openRunFiles, type RunFiles} from './run-files.js'
import type {WriteFlags} from './write-flags.js'

/** The files of a write: those of its rows and their fates, the plan of a dry run, and the page about it. */
export type WriteFiles = {
  files: Files
  runFiles: RunFiles
  planOut: PlanOut | undefined
  pageOut: PageOut | undefined
  /** Removes the files that are not complete. */
  discard(): Promise<void>
}

type Asked = {
  operation: WriteId
  flags: WriteFlags
  context: CommandContext
  command: string
  serviceClock: ClockReader
  resumes?: {journal: Pick<Journal, 'facts'>} | undefined
}

/** Opens the files of a write, before its first step. Throws a `CliFailure`; no file is left half-written then. */
export async function openWriteFiles(asked: Asked): Promise<WriteFiles> {
  const {operation, flags, context, command, serviceClock, resumes} = asked
  const {environment} = context
  const {file = '-'} = flags
  const again = resumes?.journal.facts() ?? {command: context.commandName, ...defined({given: rowFlags(flags)})}
  const runFiles = await openRunFiles(flags, createSeals(stateFolder(environment)), again)
  const opened: {discard(): Promise<void>}[] = [runFiles]
  const discard = async () => {
    for (const one of opened) await one.discard()
  }
  try {
    const planOut = await openPlanOut(flags, {command, environment, digest: runFiles.source.digest, serviceClock})
    if (planOut) opened.push(planOut)
    const isPage = flags['run-page'] !== undefined
    const pageOut = isPage ? await (await import('./page-out.js')).openPageOut(flags, context) : undefined
    if (pageOut) opened.push(pageOut)
    const files: Files = {
      through: runFiles.source.through,
      keepPlan: planOut ? planOut.write : null,
      remedies: (problems) => lintHints({operation, file, flags, problems}),
    }
    return {files, runFiles, planOut, pageOut, discard}
  } catch (error) {
    await discard()
    throw error
  }
}
