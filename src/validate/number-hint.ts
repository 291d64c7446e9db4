const grouped = /^-?\d{1,3}(?:([,.' \u00a0\u202f\u2009])\d{3})(?:\1\d{3})*$/
const decorated = /^[\s\u00a0]*[$€£¥+']?[\s\u00a0]*(-?\d+(?:\.\d+)?)[\s\u00a0]*[%$€£¥]?[\s\u00a0]*$/
const onlyZeros = /^(-?\d+)\.0+$/
const decimalComma = /^(-?\d+),(\d+)$/

/** More letters are no number that somebody typed, and blanks among them would take quadratic time. */
const longestNumber = 100

const separators: Readonly<Record<string, string>> = {',': 'comma', '.': 'point', "'": 'apostrophe'}

/** How a number that a spreadsheet decorated is to be written, as the end of a message; empty when nobody can say. */
export function hintForNumber(text: string, kind: 'integer' | 'decimal'): string {
  if (text.length > longestNumber) return ''
  const separator = grouped.exec(text)?.[1]
  if (separator !== undefined && (kind === 'integer' || separator !== '.')) {
    return `; write ${text.replaceAll(separator, '')} if the ${separators[separator] ?? 'space'} separates thousands`
  }

  const [, whole, fraction] = decimalComma.exec(text) ?? []
  if (kind === 'decimal' && whole !== undefined) return `; write ${whole}.${fraction} if the comma begins the decimals`
  const bare = decorated.exec(text)?.[1]
  const digits = kind === 'integer' ? (onlyZeros.exec(bare ?? '')?.[1] ?? bare) : bare
  return digits === undefined || digits === text || (kind === 'integer' && digits.includes('.'))
    ? ''
    : `; write ${digits}`
}
