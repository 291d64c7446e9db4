import type {ReadRequest} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import type {Dialect} from '../../derive/mirror/column-types.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import type {Elements} from '../../values/elements.js'
import type {LoadTables} from './load-table.js'

export type Value = string | number | bigint | boolean | null
export type Found = Readonly<Record<string, unknown>>

/** Statements of one session; their values are `?1` or `$1`, as `parameter` writes them. */
export type Statements = {
  readonly dialect: Dialect
  /** The name of a table in a statement. */
  table(name: string): string
  all(sql: string, ...values: readonly Value[]): Promise<Found[]>
  run(sql: string, ...values: readonly Value[]): Promise<number>
}

/** Counts of the rows of one table by what became of them. */
export type Changes = {
  table: string
  added: number
  changed: number
  unchanged: number
  deleted: number
  restored: number
}

/** The rows that are marked as deleted if no page has them any more: a condition on the table `t`; all without it. */
export type Gone = {where?: string; values?: readonly Value[]}

export type Keep = {
  /** Marks rows as deleted. */
  now: string
  gone?: Gone
  /** Written in the same transaction. */
  alsoWrite?: () => Promise<void>
}

/** Puts records of pages into the tables of one read. */
export type Loader = {
  readonly split: NonNullable<ReadRequest['split']>
  /** Takes the records of a page that `take` wants; returns their lines. What `take` throws leaves nothing of the page. */
  page(page: Elements, take: Take): {records: number; lines: number}
  /** Bytes of the pages that are not in the database yet. */
  readonly waiting: number
  /** Moves what waits out of memory; nothing of it can be seen before it is kept. */
  spill(): Promise<void>
  /** Keeps all loaded records, in one transaction. */
  keep(how: Keep): Promise<Changes[]>
  /** Forgets what was not kept. */
  forget(): Promise<void>
}

/** A database with a mirror, or for one; of this process alone until it is closed. */
export type MirrorDatabase = Statements & {
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs statements of the schema, which name tables alone, within a transaction. */
  define(statements: readonly string[]): Promise<void>
  /** The columns of the tables that the database has. */
  find(): Promise<Found[]>
  openLoader(tables: LoadTables, look: readonly string[]): Promise<Loader>
  /** For messages; never with a password. */
  readonly name: string
  close(): Promise<void>
}

export function parameter(dialect: Dialect, number: number): string {
  return `${dialect === 'sqlite' ? '?' : '$'}${number}`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function mirrorLocked(name: string, holder: string): CliFailure {
  return new CliFailure(`Another sync writes into ${name}${holder}.`, {
    code: 'MIRROR_LOCKED',
    retry: 'safe',
    hints: ['Run the same command again when it has ended.'],
  })
}

/** The table for rows before they are compared with those of a table. */
export function stageOf(table: string): string {
  return `vendorctl_stage_${table}`
}
