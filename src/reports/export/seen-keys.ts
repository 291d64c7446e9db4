import {isIdKey} from '../../values/record-key.js'
import {createKeySet, type KeySet} from '../read/key-set.js'

export type Range = {from: string; to: string}

export type SeenKeys = ReturnType<typeof createSeenKeys>

type Known = Range & {keys: KeySet}

/**
 * Keys of the records read, window by window. Windows that touch share records on their edge, and a window may be read
 * again, so a record of such a window is known; windows that are past are forgotten, which keeps memory flat.
 */
export function createSeenKeys() {
  let earlier: Known[] = []
  let current: Known | undefined

  return {
    /** Begins a window, or resumes one of which these keys were read. Nothing before `first` is read from now on. */
    startWindow(range: Range, keys: Iterable<string> = [], first = range.from): void {
      if (current) earlier.push(current)
      earlier = earlier.filter(({to}) => to >= first) // times are compared as text: they are all of one form
      current = {...range, keys: createKeySet(keys)}
    },
    /** A window that was read before, by an earlier run. */
    addWindow(range: Range, keys: Iterable<string>): void {
      earlier.push({...range, keys: createKeySet(keys)})
    },
    /**
     * `window`: read in this window already; `edge`: in one that touches it. Records without an id may be equal and yet
     * two, so that they are `window` only when pages of this window are read `again`.
     */
    find(key: string, again: boolean): 'window' | 'edge' | undefined {
      if ((again || isIdKey(key)) && current?.keys.has(key)) return 'window'
      return earlier.some(({keys}) => keys.has(key)) ? 'edge' : undefined
    },
    add: (key: string) => current?.keys.add(key),
  }
}
