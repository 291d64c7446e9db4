import {stat} from 'node:fs/promises'
import {exitCodeOf} from '../contract/index.js'
import {CliFailure, type ErrorEntry} from '../errors.js'
import {digestOf} from './complete-file.js'
import {findManifest, type Manifest, manifestName} from './manifest.js'

/** What an exported file and its manifest say of each other; nothing is asked of the service. */
export type Verified = {path: string; manifest: Manifest; errors: ErrorEntry[]}

/** Reads the manifest beside a file, whichever of the two is named. Throws a `CliFailure` (invalid) without one. */
export async function readManifestOf(named: string): Promise<{path: string; manifest: Manifest}> {
  const path = named.replace(/\.manifest\.json$/, '')
  const manifest = await findManifest(path)
  if (manifest) return {path, manifest}
  throw new CliFailure(`There is no manifest beside ${path}: ${manifestName(path)}`, {
    code: 'NO_MANIFEST',
    exit: 'invalid',
    hints: ['A manifest is written by: vendorctl reports transactions --output-file'],
  })
}

/** Checks length and digest of a file against its manifest. */
export async function verifyFile(named: string): Promise<Verified> {
  const {path, manifest} = await readManifestOf(named)
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) return {path, manifest, errors: [wrong(path, 'is not there')]}
  if (size !== manifest.bytes) {
    return {path, manifest, errors: [wrong(path, `holds ${size} bytes, and its manifest says ${manifest.bytes}`)]}
  }
  const digest = await digestOf(path)
  const errors = digest === manifest.digest ? [] : [wrong(path, 'was changed: it has another digest than its manifest')]
  return {path, manifest, errors}
}

function wrong(path: string, what: string): ErrorEntry {
  return {
    code: 'FILE_CHANGED',
    message: `${path} ${what}`,
    exit: exitCodeOf('incomplete').code,
    file: path,
    changed: 'none',
    retry: 'after-fix',
    hint: 'Export it again with --fresh --overwrite.',
  }
}
