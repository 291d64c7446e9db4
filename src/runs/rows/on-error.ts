/** Reaction of a run to a refused set: stop, drop the rows that are blamed, or also look for them by halving. */
export const onErrorModes = ['stop', 'quarantine', 'bisect'] as const

export type OnError = (typeof onErrorModes)[number]

/** Default of the most sets that are sent only to find refused rows. */
export const defaultBisectBudget = 40
