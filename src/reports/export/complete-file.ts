import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {CliFailure} from '../../core/errors.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import {millisecondsPerHour, toMilliseconds} from '../../values/date-time.js'
import {type Identity, identityDigest} from './export-identity.js'
import type {ExportOrder, ExportOutcome, Notice} from './export-types.js'
import {findManifest, isWorse, type Manifest} from './manifest.js'

/** A machine's clock may be so far behind UTC: only then has a local time passed everywhere. */
const furthestBehind = 12 * millisecondsPerHour

/**
 * The file of an earlier run of the same export, when it is complete: then there is nothing to read. A range that had not
 * ended when it was read is accepted with a warning, unless the file is to be overwritten. Undefined otherwise.
 */
export async function* findComplete(
  {path, ask, overwrite, requireGrade}: ExportOrder,
  identity: Identity,
): AsyncGenerator<Notice, ExportOutcome | undefined, void> {
  if (Object.keys(ask.moving).length > 0) return undefined
  const manifest = await findManifest(path).catch((error: unknown) => {
    if (error instanceof CliFailure) return undefined
    throw error
  })
  if (manifest?.command !== identityDigest(identity) || isWorse(manifest.grade, requireGrade)) return undefined
  const isEnded = hasEnded(manifest)
  if (!isEnded && overwrite) return undefined
  if ((await digestOf(path)) !== manifest.digest) return undefined
  if (!isEnded) {
    const isKnown = manifest.startedAt !== null
    const why = isKnown ? 'was read' : 'may have been read (the service did not send its time)'
    const text = `warning: ${path} ${why} before its range had ended; give --overwrite to read it again.`
    yield {kind: 'notice', text}
  }
  return {kind: 'complete', manifest, added: manifest.rows, errors: [], probes: 0, wasSealed: true}
}

/** Whether the range had passed on every machine when it was read. */
function hasEnded({range, timeBasis, startedAt}: Manifest): boolean {
  const started = toMilliseconds(startedAt ?? '')
  const end = toMilliseconds(range.asked[1])
  if (started === undefined || end === undefined) return false
  return started > end + (timeBasis === 'utc' ? 0 : furthestBehind)
}

/** `sha256:` and the digest of a file, or of its first bytes; undefined when there is none. */
export async function digestOf(path: string, bytes = Number.POSITIVE_INFINITY): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, {highWaterMark: 1024 * 1024, end: bytes - 1}))
      hash.update(chunk as Buffer)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))) return undefined
    throw error
  }

  return `sha256:${hash.digest('hex')}`
}
