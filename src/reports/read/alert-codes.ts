import {join} from 'node:path'
import type {Client, FilterValues} from '../../client/types.js'
import {findReadOf} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import {valueText} from '../../values/json.js'
import type {ServiceKey} from '../../values/service.js'
import {suggest} from '../../values/suggest.js'

/** The alert codes that the service listed for a key, kept to save the request that would list them again. */
export type CodeCache = {read(now: number): string[]; write(codes: readonly string[], now: number): void}

/** Services change: codes are listed again after this time. */
const keptMilliseconds = 30 * 86_400_000

/** A cache that cannot be read or written costs a request, and stops no command. */
export function createCodeCache({baseUrl, stage, keyFingerprint}: ServiceKey, stateFolder: string): CodeCache {
  const facts = [baseUrl, stage, keyFingerprint]
  const path = join(stateFolder, 'alert-codes', `${privateName(facts)}.json`)
  return {
    read(now) {
      try {
        const {at, codes} = JSON.parse(readPrivateFile(path) ?? '') as {at: number; codes: string[]}
        return at <= now && now - at < keptMilliseconds ? codes.map(String) : []
      } catch {
        return []
      }
    },
    write(codes, now) {
      try {
        writePrivateFile(path, JSON.stringify({at: now, codes}))
      } catch {}
    },
  }
}

/**
 * Warnings for codes that found nothing: those that the service does not list, with the nearest that it does. Costs a
 * request, but not for codes that were listed before. Neither an unlisted code nor an unreadable list is a failure.
 */
export async function describeUnknownCodes(
  client: Pick<Client, 'readPages'>,
  {alertCodes}: FilterValues,
  kept: CodeCache,
  now: number,
): Promise<string[]> {
  const read = findReadOf('alertCodes')
  if (!Array.isArray(alertCodes) || !read) return []
  const listed = kept.read(now)
  if (alertCodes.every((code) => listed.includes(String(code)))) return []
  try {
    const known: string[] = []
    for await (const {records} of client.readPages(read, {filters: {}})) {
      for (const {code} of records) known.push(valueText(code ?? ''))
    }
    kept.write(known, now)
    return alertCodes.map(String).flatMap((code) => (known.includes(code) ? [] : [describe(code, known)]))
  } catch (error) {
    if (error instanceof CliFailure) return []
    throw error
  }
}

function describe(code: string, known: readonly string[]): string {
  const nearest = suggest(code, known)
  const help = nearest ? `did you mean ${nearest}?` : 'see: vendorctl alerts codes'
  return `the service lists no alert code ${code}; ${help}`
}
