/** Keys by which rows of a summary are grouped. */
export const summaryKeys = ['day', 'week', 'month', 'hour', 'site', 'machine', 'product'] as const
export type SummaryKey = (typeof summaryKeys)[number]
