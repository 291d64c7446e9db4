/** What goes wrong with a request: on the way there, in the service, or on the way back. */
const ofAll = ['reset-before', 'error-before', 'gateway-before', 'throttle', 'token', 'slow'] as const
const afterCommit = ['reset-after', 'error-after', 'gateway-after', 'cut', 'page-after'] as const
const late = ['late-commit', 'late-commit-after-gateway'] as const
/** Lost answers are what is hardest to tell the truth about. */
const ofWrites = [...ofAll, ...afterCommit, ...late, ...afterCommit, ...late] as const

export type Trouble = (typeof ofWrites)[number]

export function pickTrouble(isWrite: boolean, random: () => number): Trouble {
  const all = isWrite ? ofWrites : ofAll
  return all[Math.floor(random() * all.length)] ?? 'slow'
}
