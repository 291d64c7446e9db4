import type {Page} from '../../client/types.js'
import type {MirrorDatabase} from '../load/mirror-database.js'
import {countTable, type TableCounts} from './counts.js'
import {readState, writeState} from './mirror-state.js'

/** Bytes of pages that are held until it is known whether a list is what it was. */
const mostHeld = 32 * 1024 * 1024

/** A list as it was brought into its table last; `pages`: the digest of each, and how many records it has. */
type Stored = {tool: string; rows: number; deleted: number; read: number; pages: [string, number][]}

export type SamePages = {
  /** Of the pages that need not be looked into. */
  readonly known: ReadonlyMap<string, number>
  /** Holds a page that is what it was, as all before it were. False from the first other one on. */
  hold(page: Page): boolean
  /** The pages that were held and are to be taken after all. */
  release(): Page[]
  /** How many records there are, where every page was what it was. */
  readonly unchanged: number | undefined
  /** Keeps what was read for the next sync. */
  keep(read: number): Promise<void>
}

/** Tells by its bytes whether a list is what it was, so that nothing of it need be compared with its table. */
export async function openSamePages(
  db: MirrorDatabase,
  {table, tool, before}: {table: string; tool: string; before: TableCounts},
): Promise<SamePages> {
  const name = `pages of ${table}`
  const text = await readState(db, name)
  const stored = text === undefined ? undefined : (JSON.parse(text) as Stored)
  let isSame = stored?.tool === tool && stored.rows === before.rows && stored.deleted === before.deleted
  const known = new Map(isSame ? stored?.pages : [])
  const read: [string, number][] = []
  let held: Page[] = []
  let bytes = 0

  return {
    known,
    hold(page) {
      const {raw: {digest = ''} = {}, elements} = page
      bytes += elements.bytes.length
      isSame &&= stored?.pages[read.length]?.[0] === digest && bytes <= mostHeld
      read.push([digest, page.count])
      if (isSame) held.push(page)
      else known.clear()
      return isSame
    },
    release() {
      const pages = held
      held = []
      return pages
    },
    get unchanged() {
      return isSame && read.length === stored?.pages.length ? stored.read : undefined
    },
    async keep(records) {
      const now = await countTable(db, table)
      await writeState(db, name, JSON.stringify({tool, ...now, read: records, pages: read} satisfies Stored))
    },
  }
}
