import type {Client, FilterValues} from '../../client/types.js'
import {smallestRead} from '../../contract/index.js'

/** Reads one page of the smallest read without checking that the filter was applied. */
export async function probeRead(client: Client, filters: FilterValues): Promise<{count: number; size: number}> {
  for await (const {count, size} of client.readPages(smallestRead, {filters, skipFilterCheck: true, limit: 1})) {
    return {count, size}
  }

  return {count: 0, size: 0}
}
