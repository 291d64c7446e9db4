/** What rows of a summary are counted by. */
export const summaryKeys = ['day', 'week', 'month', 'hour', 'site', 'machine', 'product'] as const
export type SummaryKey = (typeof summaryKeys)[number]
