const words = {true: ['1', 'true', 'yes', 'y', 'on'], false: ['0', 'false', 'no', 'n', 'off', '']}

/** The words of `toTruth`, for messages. */
export const truthWords = `${words.true.join(', ')}; ${words.false.filter(Boolean).join(', ')} or nothing`

/** Whether a variable switches something on or off; undefined when it does neither. */
export function toTruth(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (words.true.includes(word)) return true
  return words.false.includes(word) ? false : undefined
}

/** Whether a variable says yes; for what is read before anything can be refused. */
export function isOn(text: string | undefined): boolean {
  return toTruth(text ?? '') === true
}
