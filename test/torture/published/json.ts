/** A number of which every digit is kept, as it was sent. */
export type Digits = {readonly rawJSON: string}
export type Value = null | boolean | number | string | Digits | Value[] | Row
export type Row = {[field: string]: Value}

/** Part of the language since Node 21, and not yet of the type definitions used here. */
const {rawJSON} = JSON as unknown as {rawJSON: (text: string) => Digits}

/** JSON in which whole numbers are numbers, and all others keep their digits. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: {source: string}) => {
    if (typeof value !== 'number' || context === undefined) return value
    return /^-?\d{1,15}$/.test(context.source) ? value : rawJSON(context.source)
  })
}

export function digits(text: string): Digits {
  return rawJSON(text)
}

export function isDigits(value: unknown): value is Digits {
  return typeof value === 'object' && value !== null && 'rawJSON' in value
}

/** The text of a value, to be compared: a number sent as text is the same. */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  if (isDigits(value)) return value.rawJSON
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function numberOf(value: Value | undefined): number {
  return isDigits(value) ? Number(value.rawJSON) : typeof value === 'number' ? value : Number.NaN
}
