/** The meaning of a number by its format; `000`: a number shown with at least so many digits. */
export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'dateTime' | 'duration' | `0${string}`

/** The formats that every spreadsheet knows by number; those from 27 on are dates and times of East Asia. */
const builtIn: ReadonlyMap<number, NumberKind> = new Map([
  ...list([9, 10], 'percent'),
  ...list([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'date'),
  ...list([18, 19, 20, 21, 32, 33, 34, 35, 55, 56], 'time'),
  ...list([22], 'dateTime'),
  ...list([45, 46, 47], 'duration'),
])

function list(ids: readonly number[], kind: NumberKind): [number, NumberKind][] {
  return ids.map((id) => [id, kind])
}

/** Kinds by the style of a cell, from the formats of the cells and the codes that the workbook defines. */
export function toNumberKinds(formats: readonly number[], codes: ReadonlyMap<number, string>): NumberKind[] {
  return formats.map((id) => {
    const code = codes.get(id)
    return code === undefined ? (builtIn.get(id) ?? 'number') : kindOfCode(code)
  })
}

const elapsed = /\[(?:h+|m+|s+)\]/i
/** Texts in quotes, single letters, fillers and widths, and what stands in brackets: colours, conditions, languages. */
const decoration = /"[^"]*"?|\\.|[_*].|\[[^[\]]*\]/g

/** What a format such as `yyyy\-mm\-dd hh:mm` shows; only its part for positive numbers counts. */
function kindOfCode(code: string): NumberKind {
  if (elapsed.test(code)) return 'duration'
  const [shown = ''] = code.replaceAll(decoration, '').split(';')
  if (/general/i.test(shown)) return 'number'
  if (/^0{2,}$/.test(shown)) return `0${shown.slice(1)}`
  if (shown.includes('%')) return 'percent'
  const hasTime = /[hs]/i.test(shown)
  const hasDate = /[ydg]/i.test(shown) || (!hasTime && /m/i.test(shown))
  if (hasDate) return hasTime ? 'dateTime' : 'date'
  return hasTime ? 'time' : 'number'
}
