/** Numbers of lines, and exact sums as texts of decimal numbers such as `15.10`. */
export type PageCounts = {
  readonly lines: number
  /** Lines whose vend was not successful: part of `lines`, and in no sum but `failedPrice`. */
  readonly failedLines: number
  readonly quantity: string
  readonly totalPrice: string
  readonly failedPrice: string
}

/** One site, machine or product; `id` is null for lines that name none. */
export type PageGroup = PageCounts & {readonly id: string | null; readonly name: string | null}

/** The first groups in order, at most `topGroups`, and what all others add up to. */
export type PageTop = {
  /** Number of groups, those in `others` included. */
  readonly count: number
  readonly groups: readonly PageGroup[]
  /** Left out when `groups` has all of them. */
  readonly others?: PageCounts
}

/** Everything that the page about transactions shows. Texts are unescaped; the templates escape them. */
export type PageData = {
  /** Such as `Transactions 2024-07-01 … 2024-07-31`. */
  readonly title: string
  /** Filters of the read, for people, such as `--site 1001,1002`. */
  readonly filters: readonly string[]
  /** Local times of the machines, both ends included; left out when neither is known. */
  readonly range?: {readonly from: string; readonly to: string}
  /** The service (address without credentials, stage, profile) or the name of a file, for people. */
  readonly source: string
  readonly totals: PageCounts & {readonly batches: number; readonly taxCharged: string; readonly commission: string}
  /** Days that have lines, in order. */
  readonly days: readonly PageDay[]
  /** The counts of as many days before the range; left out where they were not read. */
  readonly before?: PageBefore
  /** Hours of a week that have lines, Monday 0 to Sunday 6, in order. */
  readonly heat: readonly (PageCounts & {readonly weekday: number; readonly hour: number})[]
  /** Lines without a time, which are in no day and no hour. */
  readonly undated?: PageCounts
  /** By total price, largest first. */
  readonly sites: PageTop
  readonly machines: PageTop
  readonly products: PageTop
  /** Machines with failed vends, most failed lines first. */
  readonly failed: PageTop
  /** Days that exports of this machine have proven complete; left out where that is not known. */
  readonly coverage?: PageCoverage
  /** Alerts that are not cleared, by code, most first; left out where they were not read. */
  readonly alerts?: {
    /** The service lists those raised since then only, in local time of the machines. */
    readonly raisedFrom?: string
    readonly codes: readonly PageAlert[]
    /** Lists them all and can be pasted. */
    readonly command: string
  }
  /** Reads the same lines again and can be pasted, without `--by` and `-o`: `vendorctl reports summary july.csv`. */
  readonly command: string
  /** Notes on the figures, such as empty values that are in no sum. */
  readonly notes: readonly string[]
  /** In UTC, such as `2024-08-01T02:10:00Z`. */
  readonly generatedAt: string
  /** Name and version of the program. */
  readonly tool: string
}

/** A day; a part of one is in no average. */
export type PageDay = PageCounts & {readonly day: string; readonly isPart?: boolean}

/** First and last day, and those of the range that are over and so can be compared. */
export type PageBefore = PageCounts & Days & {readonly of: Days}
type Days = {readonly from: string; readonly to: string}

export type PageCoverage = {
  readonly provenDays: number
  /** Runs of days that are not proven. */
  readonly holes: readonly {readonly from: string; readonly to: string; readonly state: 'partly' | 'unread'}[]
  /** Days of which nothing is known yet: they have not ended on every machine, or the range has a part of them. */
  readonly otherDays: number
  /** Shows the same days and can be pasted. */
  readonly command: string
}

export type PageAlert = {
  readonly code: string
  /** Meaning of the code; null where the service does not explain it. */
  readonly meaning: string | null
  readonly open: number
  readonly machines: number
  /** Time at which the oldest of them was raised, in local time of its machine. */
  readonly oldest: string | null
}

/** Most groups that a page lists one by one. */
export const topGroups = 20

/** The charts of the page, as `--chart` names them. */
export const pageCharts = ['days', 'heatmap', 'sites', 'machines', 'products'] as const
export type PageChart = (typeof pageCharts)[number]
