/** What rows of a summary are counted by. */
export const summaryKeys = ['day', 'hour', 'site', 'machine', 'product'] as const
export type SummaryKey = (typeof summaryKeys)[number]
