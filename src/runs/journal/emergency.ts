import {closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {isPrivateFile} from '../../core/private-state.js'
import type {Evidence, PartState} from './run-facts.js'

/** What became of one part of a run, where its journal could not take it. Holds nothing secret and no record. */
export type Emergency = {
  run: string
  /** Number of the part in the journal. */
  part: number
  state: PartState
  /** JSON of the answer of the client. */
  answer: string
  how?: Evidence
  why: string
  /** Milliseconds since 1970. */
  at: number
}

/** Where emergency files may lie: beside the journals, else where the disk is another one. */
export type EmergencyFolders = {runs: string; temporary: string}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Writes the file in the first folder that takes it. Its path; undefined when none did. */
export function keepEmergency(folders: EmergencyFolders, emergency: Emergency): string | undefined {
  return pathsOf(folders, emergency.run).find((path) => tryWrite(path, `${JSON.stringify(emergency)}\n`))
}

/** The file of a run, if there is one that only this user can have written and that is whole. */
export function findEmergency(
  folders: EmergencyFolders,
  run: string,
): {path: string; emergency: Emergency} | undefined {
  for (const path of pathsOf(folders, run)) {
    const emergency = tryRead(path)
    if (emergency?.run === run) return {path, emergency}
  }
  return undefined
}

export function removeEmergency(folders: EmergencyFolders, run: string): void {
  for (const path of pathsOf(folders, run)) if (tryRead(path)) rmSync(path, {force: true})
}

function pathsOf({runs, temporary}: EmergencyFolders, run: string): string[] {
  return [join(runs, `${run}.emergency`), join(temporary, `vendorctl-${run}.emergency`)]
}

function tryWrite(path: string, text: string): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, newFile, 0o600)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
    return true
  } catch {
    if (descriptor !== undefined) rmSync(path, {force: true})
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function tryRead(path: string): Emergency | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    if (!isPrivateFile(fstatSync(descriptor))) return undefined
    return JSON.parse(readFileSync(descriptor, 'utf8')) as Emergency
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
