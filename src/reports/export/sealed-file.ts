import {statSync} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {openPartFile, partName} from '../../formats/files/part-file.js'
import {toBase} from './append-base.js'
import {openCheckpoint} from './checkpoint.js'
import {digestOf} from './complete-file.js'
import {finishIdOf, type Manifest, manifestName, parseManifest, printManifest, writeManifest} from './manifest.js'

/** A file of which all is read; `base` is its manifest before. */
export type SealedFile = {id: string; digest: string; base?: Manifest}

/** The complete file of a checkpoint; undefined while rows are missing. */
export function readSealed(checkpoint: string): SealedFile | undefined {
  const state = openCheckpoint(checkpoint)
  try {
    const {manifest: text, frozen} = state.facts() ?? {}
    if (text === undefined) return undefined
    const manifest = parseManifest(text, checkpoint)
    const {base} = JSON.parse(frozen ?? '{}') as {base?: Manifest}
    return {id: finishIdOf(toBase(base).without(manifest)), digest: manifest.digest, ...(base && {base})}
  } finally {
    state.close()
  }
}

/** Tells a file from all others, also from one with the same bytes, whatever its name; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, {bigint: true, throwIfNoEntry: false})
  return found && `${found.ino} ${found.mtimeNs}`
}

/** Whether NAME.part is what this machine has written, and not that of another machine. */
export async function isOwnPart(checkpoint: string, path: string): Promise<boolean> {
  const state = openCheckpoint(checkpoint)
  const {bytes, digest} = state.committed()
  state.close()
  return bytes > 0 && (await digestOf(partName(path), bytes).catch(() => undefined)) === `sha256:${digest}`
}

/** Whether something else has the name of the file by now. */
export async function isAnother(path: string, {digest}: SealedFile): Promise<boolean> {
  const found = await digestOf(path)
  return found !== undefined && found !== digest
}

/** The name of a complete file whose records are in another file, too. */
const asideName = (path: string) => `${path}.superseded`

/**
 * Takes a complete file out of the way whose records are in another file, too: renamed, or cut to its former length.
 * Returns what was done, as the end of a sentence; undefined where the file has no name yet, or is another by now.
 * `own`: its identity.
 */
export async function setAsideFile(
  path: string,
  {digest, base}: SealedFile,
  own: string | undefined,
): Promise<string | undefined> {
  if (own === undefined || identityOf(path) !== own || (await digestOf(path)) !== digest) return undefined
  if (base) {
    const committed = {bytes: base.bytes, digest: base.digest.replace('sha256:', '')}
    const file = await openPartFile(path, {overwrite: true, copy: true, committed})
    await file.publish().finally(() => file.close())
    await writeManifest(path, printManifest(base))
    return `; ${path} has its former contents again`
  }
  await rename(path, asideName(path))
  await rm(manifestName(path), {force: true})
  return `; ${path} is now ${asideName(path)}`
}

/**
 * Whether a complete file can be seen here, under its name or under that of a file in progress; then it gets its name
 * and its manifest.
 */
export async function isFileThere(file: {
  path: string
  digest: string
  bytes: number
  manifest: string
}): Promise<boolean> {
  const {path, digest, bytes, manifest: text} = file
  if (parseManifest(text, manifestName(path)).digest !== digest) return false
  const see = (name: string) => digestOf(name).catch(() => undefined)
  if ((await see(path)) !== digest) {
    if ((await see(partName(path))) !== digest) return false
    const part = await openPartFile(path, {overwrite: true, committed: {bytes, digest: digest.replace('sha256:', '')}})
    await part.publish().finally(() => part.close())
  }
  await writeManifest(path, text)
  return true
}
