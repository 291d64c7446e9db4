import type {Client, FilterValues} from '../../client/types.js'
import {findReadOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {suggest} from '../../values/suggest.js'
import type {CodeCache} from '../client/code-cache.js'

/**
 * Warnings for codes that found nothing: those that the service does not list, with the nearest that it does. Costs a
 * request, but not for codes that were listed before. Neither an unlisted code nor an unreadable list is a failure.
 */
export async function describeUnknownCodes(
  client: Client,
  {alertCodes}: FilterValues,
  kept: CodeCache,
): Promise<string[]> {
  const read = findReadOf('alertCodes')
  if (!Array.isArray(alertCodes) || !read) return []
  const listed = kept.read(systemClock.now())
  if (alertCodes.every((code) => listed.includes(String(code)))) return []
  try {
    const known: string[] = []
    for await (const {records} of client.readPages(read, {filters: {}})) {
      for (const {code} of records) known.push(String(code))
    }
    kept.write(known, systemClock.now())
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
