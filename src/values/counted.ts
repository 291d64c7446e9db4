/** `1 row`, `3,896 rows`: a number and what is counted, as every message says it. */
export function counted(amount: number, one: string): string {
  return `${thousands(amount)} ${one}${amount === 1 ? '' : 's'}`
}

/**
 * A positive whole number, or its digits, as people read it: `1,234,567`. Without the tables of languages, which take a
 * third of a start to load.
 */
export function thousands(count: number | string): string {
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(String(count)) ?? []
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.push(digits.slice(Math.max(end - 3, 0), end))
  return sign + groups.reverse().join(',')
}

/** The first of some texts, and how many more there are: `a, b and 3 more`. */
export function listed(texts: readonly string[], most: number, comma = ', '): string {
  const more = texts.length > most ? ` and ${thousands(texts.length - most)} more` : ''
  return `${texts.slice(0, most).join(comma)}${more}`
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}
