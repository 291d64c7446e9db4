import type {Watermark} from './marks.js'
import type {LastRun, NamedFacts} from './named-runs.js'
import type {Covered} from './written-files.js'

/** What a run of a name that is complete changes in the shared store, all of it or nothing. */
export type SharedFinish = {
  /** The same for the same file only, however often its run is recorded. */
  id: string
  watermark: Watermark
  last: LastRun
  /** What `covered` is kept by. */
  coverage: string
  covered: readonly Covered[]
  file?: AnnouncedFile
}

/** A complete file, and all that another machine needs to give it its name and to record it. */
export type AnnouncedFile = {
  path: string
  digest: string
  bytes: number
  manifest: string
  /** Whether it waits for its delivery. */
  delivers?: boolean
}

/** A file whose machine ended between the announcement and the record. */
export type Announced = {machine: string; host: string; at: number; finish: SharedFinish}

/**
 * The mark of a name as all machines see it; `version` is raised by each change, and 0 before the first. `store` tells
 * one store from another.
 */
export type SharedMark = {
  store: string
  version: number
  value?: Watermark
  host?: string
  machine?: string
  /** The file that a run began and has not recorded. */
  unfinished?: UnfinishedFile
}

export type UnfinishedFile = {machine: string; host: string; path: string}

/** The right of this run to write a name, and what it read when it took it. */
export type Turn = {
  readonly mark: SharedMark
  /** Of the mark after what this run has changed. */
  readonly version: number
  readonly announced: Announced | undefined
  /** What a run on another machine began and left. */
  readonly orphan: UnfinishedFile | undefined
  /** Whether the name has a mark for other filters or columns. */
  readonly isKnownName: boolean
  isFinished(id: string): Promise<boolean>
  /** Of the run that begins, with the file that it writes. */
  describe(facts: NamedFacts, path?: string): Promise<void>
  /** Sets the mark by hand; `seen`: the highest version that is known, which a restored store may have lost. */
  put(value: Watermark, seen?: number): Promise<SharedMark>
  /** To be called before a file gets its name. Throws `locked` once another run has taken the turn. */
  announce(finish: SharedFinish): Promise<void>
  /** Moves the mark, unless that is done already; returns it as it is now. Throws `locked` where another has moved it. */
  record(finish: SharedFinish): Promise<SharedMark>
  release(): Promise<void>
}
