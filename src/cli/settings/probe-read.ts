import type {Client, FilterValues} from '../../client/types.js'

/** Reads one page of machines without believing that the filter arrived. */
export async function probeRead(client: Client, filters: FilterValues): Promise<{count: number; size: number}> {
  for await (const {count, size} of client.readPages('machines.list', {filters, skipFilterCheck: true, limit: 1})) {
    return {count, size}
  }

  return {count: 0, size: 0}
}
