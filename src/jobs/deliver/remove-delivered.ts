import {lstat, unlink} from 'node:fs/promises'
import {CliFailure} from '../../core/errors.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import {digestOf} from '../../reports/export/complete-file.js'
import {findManifest, manifestName} from '../../reports/export/manifest.js'
import type {Delivery, DeliveryOwner} from '../../reports/register/deliveries.js'
import type {ExportRegister} from '../../reports/register/export-register.js'

export type Removal = {
  register: ExportRegister
  owner: DeliveryOwner
  /** Files that were delivered before this moment; milliseconds since 1970. */
  before: number
  context: {caution(text: string): void; messages: {note(text: string): void}}
}

/**
 * Removes files of a name that were delivered long ago, with their manifests: only plain files with the bytes that were
 * delivered. What was changed is kept, which is reported once. Returns the paths that it removed.
 */
export async function removeDelivered({register, owner, before, context}: Removal): Promise<string[]> {
  const removed: string[] = []
  for (const delivery of register.delivered(owner)) {
    const {path, triedAt = delivery.writtenAt} = delivery
    if (triedAt >= before) continue
    try {
      const kept = await whyKept(delivery)
      if (kept === 'changed') context.caution(`${path} was changed since it was delivered, so it is kept.`)
      if (kept !== undefined) {
        register.forgetDelivery(path, {isRemoved: kept === 'gone'})
        continue
      }
      await unlink(path)
      await removeManifest(delivery)
      register.forgetDelivery(path, {isRemoved: true})
      removed.push(path)
      context.messages.note(`Removed ${path}, delivered on ${new Date(triedAt).toISOString().slice(0, 10)}.`)
    } catch (error) {
      if (error instanceof CliFailure) throw error
      context.caution(`${path} cannot be removed (${errorCodeOf(error)}).`)
    }
  }

  return removed
}

/** A file that somebody else removed is not missed; its manifest may still be there. */
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

/** That of another file stays. */
async function removeManifest({path, digest}: Delivery): Promise<void> {
  const manifest = await findManifest(path).catch(() => undefined)
  if (manifest?.digest === digest) await unlink(manifestName(path))
}
