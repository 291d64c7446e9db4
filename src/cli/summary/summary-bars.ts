import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'

/** No longer than what a table never cuts: a bar without its end would tell a lie. */
const longestBar = 12
/** From an eighth of a cell to a whole one. */
const blocks = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const

/** Adds a `bar` to each group. Bars show proportions; what they stand for is the exact number beside them. */
export function drawBars(groups: readonly JsonRecord[]): JsonRecord[] {
  const sizes = groups.map(({totalPrice}) => toSize(totalPrice))
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  return groups.map((group, place) => ({...group, bar: largest > 0 ? toBar((sizes[place] ?? 0) / largest) : ''}))
}

/** What is more than nothing is seen. */
function toBar(share: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * longestBar * blocks.length)) : 0
  const whole = blocks[blocks.length - 1] as string
  return whole.repeat(Math.floor(eighths / blocks.length)) + (blocks[(eighths % blocks.length) - 1] ?? '')
}

function toSize(value: JsonValue | undefined): number {
  return value !== undefined && isNumber(value) ? Math.max(0, Number(numberText(value))) : 0
}
