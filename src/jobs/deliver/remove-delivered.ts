import {lstat, unlink} from 'node:fs/promises'
import type {Clock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import {digestOf} from '../../reports/export/complete-file.js'
import {findManifest, manifestName} from '../../reports/export/manifest.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import type {Named} from '../../reports/register/named-marks.js'
import type {Delivery} from '../../reports/register/outstanding-deliveries.js'

type RemoveOptions = {
  register: ExportRegister
  owner: Named | undefined
  /** Files that were delivered longer ago are removed; none unless given. */
  keepMilliseconds: number | undefined
  clock: Pick<Clock, 'now'>
  messages: {note(text: string): void}
  caution: (text: string) => void
}

/**
 * Removes files of a name that were delivered long ago, with their manifests: only plain files with the bytes that were
 * delivered. What was changed is kept, which is reported once. Yields the paths that it removed.
 */
export async function* removeDelivered(options: RemoveOptions): AsyncGenerator<string, void, void> {
  const {register, owner, clock, keepMilliseconds, caution, messages} = options
  if (!owner || keepMilliseconds === undefined) return
  const before = clock.now() - keepMilliseconds
  for (const delivery of register.delivered(owner)) {
    const {path, triedAt = delivery.writtenAt} = delivery
    if (triedAt >= before) continue
    try {
      const kept = await whyKept(delivery)
      if (kept === 'changed') caution(`${path} was changed since it was delivered, so it is kept.`)
      if (kept === undefined) {
        await unlink(path)
        await removeManifest(delivery)
      }
      register.forgetDelivery(path, {isRemoved: kept !== 'changed'})
      if (kept !== undefined) continue
      yield path
      messages.note(`Removed ${path}, delivered on ${new Date(triedAt).toISOString().slice(0, 10)}.`)
    } catch (error) {
      if (error instanceof CliFailure) throw error
      caution(`${path} cannot be removed (${errorCodeOf(error)}).`)
    }
  }
}

/** Why a delivered file is not removed: it is gone (then its manifest is removed), or was changed. */
async function whyKept(delivery: Delivery): Promise<'gone' | 'changed' | undefined> {
  const {path, bytes, digest} = delivery
  const found = await lstat(path).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return undefined
    throw error
  })
  if (!found) {
    await removeManifest(delivery)
    return 'gone'
  }
  const isSame = found.isFile() && found.size === bytes && (await digestOf(path)) === digest
  return isSame ? undefined : 'changed'
}

/** Removes the manifest of a file, unless it describes another one. */
async function removeManifest({path, digest}: Delivery): Promise<void> {
  const manifest = await findManifest(path).catch(() => undefined)
  if (manifest?.digest === digest) await unlink(manifestName(path))
}
