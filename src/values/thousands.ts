/**
 * A positive whole number, or its digits, as people read it: `1,234,567`. Without the tables of languages, which take a
 * third of a start to load.
 */
export function thousands(count: number | string): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
