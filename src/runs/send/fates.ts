/** What became of a row. */
export type Fate = 'applied' | 'refused' | 'rolledBack' | 'inDoubt' | 'unsent'

/** Rows by fate; they add up to the rows of the file. */
export type Fates = Record<Fate, number>

export const fateNames = ['applied', 'refused', 'rolledBack', 'inDoubt', 'unsent'] as const satisfies readonly Fate[]

export function countFates(rows: Iterable<{fate: Fate}>): Fates {
  const fates: Fates = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0}
  for (const {fate} of rows) fates[fate]++
  return fates
}
