import type {JsonValue} from '../../values/json.js'

/** Makes a cell once for values that follow each other: the columns of a batch repeat on each of its lines. */
export function rememberLast<Cell>(make: (value: JsonValue) => Cell): (value: JsonValue) => Cell {
  let last: {value: JsonValue; cell: Cell} | undefined
  return (value) => {
    if (last === undefined || last.value !== value) last = {value, cell: make(value)}
    return last.cell
  }
}

const maximumRemembered = 10_000

/** Makes a cell once for each text: prices are few, and come again and again. */
export function rememberTexts<Cell>(make: (text: string) => Cell): (text: string) => Cell {
  const known = new Map<string, {cell: Cell}>()
  return (text) => {
    const found = known.get(text)
    if (found) return found.cell
    if (known.size >= maximumRemembered) known.clear()
    const cell = make(text)
    known.set(text, {cell})
    return cell
  }
}
