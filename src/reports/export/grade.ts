/** How well an export proved that nothing is missing. */
export type Grade = 'A' | 'B' | 'C' | 'D'

const grades: readonly Grade[] = ['A', 'B', 'C', 'D']

export function worst(found: readonly Grade[]): Grade {
  return grades[Math.max(0, ...found.map((grade) => grades.indexOf(grade)))] ?? 'A'
}

export function isWorse(grade: Grade, than: Grade): boolean {
  return grades.indexOf(grade) > grades.indexOf(than)
}
