import {thousands} from '../../values/thousands.js'

/** What became of a row. */
export type Fate = (typeof fateNames)[number]

/** Rows by fate; they add up to the rows of the file. */
export type Fates = Record<Fate, number>

/** `unchanged`: the record has all values of the row already, and nothing was to be sent. */
export const fateNames = ['applied', 'refused', 'rolledBack', 'inDoubt', 'unsent', 'unchanged'] as const

/** `applied 2 · refused 0 · …`, without one of them; rows that change nothing only where there are some. */
export function describeFates(rows: Fates, without?: Fate): string {
  return fateNames
    .filter((fate) => fate !== without && (fate !== 'unchanged' || rows.unchanged > 0))
    .map((fate) => `${fate} ${thousands(rows[fate])}`)
    .join(' · ')
}

export function countFates(rows: Iterable<{fate: Fate}>): Fates {
  const fates: Fates = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}
  for (const {fate} of rows) fates[fate]++
  return fates
}
