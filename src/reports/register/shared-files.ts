import {existsSync, lstatSync, rmSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {partName} from '../../formats/files/part-file.js'
import {counted} from '../../values/counted.js'
import {type Manifest, manifestName, parseManifest} from '../export/manifest.js'
import {checkpointPath, dropUnfinished, lockBeside} from '../export/output-lock.js'
import {isAnother, isFileThere, isOwnPart, readSealed, setAsideFile} from '../export/sealed-file.js'
import type {ExportRegister} from './export-register.js'
import type {Named} from './named-marks.js'
import type {Announced, SharedFinish, Turn} from './shared-turn.js'

type Leftovers = {
  turn: Turn
  isCurrent: boolean
  register: ExportRegister
  folder: string
  onNotice: (text: string) => void
}

/**
 * Drops what this machine left unfinished and another run has read since: finishing it would write records a second time.
 * A complete file that was not recorded is set aside, under a name that tells so.
 */
export async function dropRead(named: Named, leftovers: Leftovers): Promise<void> {
  const {turn, isCurrent, register, folder, onNotice} = leftovers
  const path = register.findLastFile(named)?.path
  if (path === undefined || !isKept(folder, path)) return
  const sealed = readSealed(checkpointPath(folder, path))
  if (sealed && (await turn.isFinished(sealed.id))) {
    if (await isAnother(path, sealed)) dropUnfinished(folder, path, false) // others have added to it since
    return
  }
  if (isCurrent) {
    const isNamed = sealed === undefined || turn.announced?.finish.id === sealed.id
    if (!isNamed && !existsSync(partName(path))) dropUnfinished(folder, path, false)
    return
  }
  const aside = sealed && (await setAsideFile(path, sealed, register.findSeen(named)?.part))
  dropUnfinished(folder, path, await isOwnPart(checkpointPath(folder, path), path))
  const {host, value} = turn.mark
  const since = `Another run of --since-last ${named.name} (last on ${host}) is complete up to ${value?.at}`
  onNotice(`warning: ${since}, so what this machine had read of it into ${path} is dropped${aside ?? ''}.`)
}

/**
 * Where machines write files of one name in turn, NAME.part may be that of another: then this machine reads again, as
 * the returned notice tells. Undefined for any other error.
 */
export function dropForeign(error: unknown, {folder, path}: {folder: string; path: string}): string | undefined {
  if (!(error instanceof CliFailure) || error.code !== 'PART_DAMAGED' || !isKept(folder, path)) return undefined
  dropUnfinished(folder, path, false)
  return `warning: ${partName(path)} is not what this machine left, so its rows are read again.`
}

/**
 * Removes NAME.part of a run on another machine that was killed, where this machine sees it and knows nothing of it
 * itself: its range is read again, and no other run would ever look for it.
 */
export function removeOrphan(
  {orphan, announced}: Turn,
  {folder, onNotice}: {folder: string; onNotice: (text: string) => void},
): void {
  if (!orphan || isKept(folder, orphan.path) || announced?.finish.file?.path === orphan.path) return
  const part = partName(orphan.path)
  if (lstatSync(part, {throwIfNoEntry: false})?.isFile() !== true) return
  try {
    const lock = lockBeside(orphan.path)
    rmSync(part, {force: true})
    lock?.remove()
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'OUTPUT_LOCKED') return // its run lost the store alone, and still writes
    throw error
  }

  onNotice(`Removed ${part}, which a run on ${orphan.host} left unfinished; its range is read again.`)
}

function isKept(folder: string, path: string): boolean {
  return existsSync(checkpointPath(folder, path))
}

export type FoundFile = {finish: SharedFinish; path: string; manifest: Manifest}

/**
 * The file that a machine announced and did not record, with its name, where all of it can be seen from here: on a disk
 * that both machines have. Undefined, with a warning, where it cannot: then its range is read again.
 */
export async function findAnnounced(
  announced: Announced,
  {path, folder, onNotice}: {path: string; folder: string; onNotice: (text: string) => void},
): Promise<FoundFile | undefined> {
  const {finish, host, at} = announced
  const {file, last} = finish
  const isOwn = file?.path === resolve(path) && isKept(folder, path)
  if (!file || isOwn) return undefined // this run finishes it as any file that it left
  const isHere = dirname(file.path) === dirname(resolve(path)) && (await isFileThere(file))
  const what = `${file.path} (${counted(last.rows, 'row')}, ${last.from} … ${last.to})`
  const announcedAs = `${host} announced ${what} as complete at ${toTimeText(at)} and ended before it was recorded`
  if (isHere) {
    onNotice(`${announcedAs}; the file is here, so it is recorded now and not read again.`)
    return {finish, path: file.path, manifest: parseManifest(file.manifest, manifestName(file.path))}
  }
  onNotice(
    `warning: ${announcedAs}. It is not here, so its range is read again; where that file still exists, the next run on ${host} sets it aside.`,
  )
  return undefined
}
