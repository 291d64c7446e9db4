import {createHash} from 'node:crypto'
import type {RecordRows} from './record-stream.js'

/** A record that is not as it was exported. */
export type Change = {id: string; change: 'added' | 'changed' | 'removed'}

/** The records of one side that were not found on the other one, by id, or by content where they have none. */
export type WaitingRecords = Map<string, {id: string; digest: string; order: number}[]>

/** Gathers what differs between two sides, whatever the order of their records. */
export function createChanges() {
  const changes: (Change & {order: number})[] = []
  let order = 0

  return {
    add,
    wait(records: WaitingRecords, {id, content}: RecordRows): void {
      const digest = digestOf(content)
      const key = id === '' ? digest : id
      records.set(key, [...(records.get(key) ?? []), {id, digest, order: order++}])
    },
    /** Removes the counterpart of a record from these; false when it is not among them. */
    settle(records: WaitingRecords, {id, content}: RecordRows): boolean {
      const digest = digestOf(content)
      const key = id === '' ? digest : id
      const found = records.get(key)
      if (!found) return false
      const place = found.findIndex((one) => one.digest === digest)
      found.splice(Math.max(0, place), 1)
      if (found.length === 0) records.delete(key)
      if (place < 0) add(id, 'changed')
      return true
    },
    addAll(records: WaitingRecords, change: Change['change']): void {
      for (const {id, order} of [...records.values()].flat()) changes.push({id, change, order})
    },
    /** One per id; removed ones come last. */
    all(): Change[] {
      const last = ({change}: Change) => Number(change === 'removed')
      const found = new Map<string, Change>()
      for (const {id, change} of changes.sort((one, other) => last(one) - last(other) || one.order - other.order)) {
        const isOther = found.has(id) && found.get(id)?.change !== change
        found.set(id, {id, change: isOther ? 'changed' : change})
      }
      return [...found.values()]
    },
  }

  function add(id: string, change: Change['change']): void {
    changes.push({id, change, order: order++})
  }
}

const digestLength = 16

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('base64').slice(0, digestLength)
}
