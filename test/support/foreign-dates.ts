/** How a service treats dates; routes whose rows carry no date ignore all of this. */
export type DateRules = {
  /** The longest range in days; left out, the route takes no dates. */
  longestDays?: number
  /** Spelling of the clamp headers, from 2024-07-30T18:07:05.477. */
  spellDate?: (date: string) => string
  /** What the service takes for now; milliseconds since 1970. */
  now?: number
}

export type Range = {start: number; end: number; headers: Record<string, string>}

const day = 86_400_000

/** The range that is served for the dates asked, by the table of the specification. */
export function serveRange(
  filters: Record<string, unknown>,
  {longestDays, spellDate = (date) => date, now = Date.UTC(2024, 6, 30, 12)}: DateRules,
): Range | 'reversed' | 'unreadable' | undefined {
  if (longestDays === undefined) return undefined
  const [start, end] = [readDate(filters['StartDate'], '00:00:00'), readDate(filters['EndDate'], '23:59:59')]
  if (Number.isNaN(start) || Number.isNaN(end)) return 'unreadable'
  if (start !== undefined && end !== undefined && start > end) return 'reversed'
  const longest = longestDays * day
  const servedStart = start ?? (end ?? now) - longest
  const servedEnd = start === undefined ? (end ?? now) : Math.min(end ?? Number.POSITIVE_INFINITY, start + longest)
  const text = (time: number) => spellDate(new Date(time).toISOString().replace('Z', ''))
  return {
    start: servedStart,
    end: servedEnd,
    headers: {
      ...(servedStart === start ? {} : {'search-range-start-date': text(servedStart)}),
      ...(servedEnd === end ? {} : {'search-range-end-date': text(servedEnd)}),
    },
  }
}

const times = ['recordedAtUtc', 'raisedAt', 'startedAtUtc', 'loggedAt', 'adjustmentOccurredAt']

/** Whether the date of a row lies in the range, both ends included. */
export function within(row: Record<string, unknown>, {start, end}: Range): boolean {
  const time = times.map((name) => row[name]).find((value) => value !== undefined)
  return time === undefined || (Date.parse(`${time}Z`) >= start && Date.parse(`${time}Z`) <= end)
}

function readDate(value: unknown, clock: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = String(value)
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?$/.test(text)) return Number.NaN
  return Date.parse(`${text.includes('T') ? text : `${text}T${clock}`}Z`)
}
