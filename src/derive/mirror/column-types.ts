import type {ReadId} from '../../contract/index.js'

/** The engines for a mirror. */
export const dialects = ['sqlite', 'postgres'] as const
export type Dialect = (typeof dialects)[number]

/**
 * Kinds of columns. A value that a column cannot store without loss stays in `extra`, and it is null. Times come
 * without offset: a connection to PostgreSQL that loads UTC times must have the time zone UTC.
 */
export type MirrorKind = 'integer' | 'decimal' | 'text' | 'boolean' | 'utcTime' | 'localTime' | 'json'

export type MirrorColumn = {
  readonly name: string
  readonly kind: MirrorKind
  /** Start of `path`: the record, an element of its list, or nothing for what the mirror adds. */
  readonly from: 'record' | 'line' | 'mirror'
  readonly path: readonly string[]
  /**
   * The table whose `id` it has. That row may be missing, since a key may see a record and not its parent: nothing
   * enforces it.
   */
  readonly refersTo?: string
  /** For people; one line. */
  readonly about: string
}

export type SqlTable = {
  readonly name: string
  readonly columns: readonly MirrorColumn[]
  readonly key: readonly string[]
  /** Columns of one index each, besides the primary key. */
  readonly indexes: readonly string[]
  readonly about: string
}

/** A table of records, or of the elements of a list in them. */
export type MirrorTable = SqlTable & {
  readonly operation: ReadId
  /** The list whose elements are the rows; without it each record is one. */
  readonly list?: string
}

export type MirrorView = {readonly name: string; readonly about: string; readonly select: string}
