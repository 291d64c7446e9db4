/** A line of a shell without what sends input or output elsewhere, which no program gets to see. */
export type Redirected = {
  text: string
  /** The cursor is at the name of a file that something is sent to or read from. */
  isFile: boolean
}

const quotes = String.raw`\\[^]|'[^']*'?|"(?:\\[^]|[^"\\])*"?|\$\([^)]*\)?`
const operator = String.raw`(?:(?<!\S)(?:\d+|\{\w+\})|&)?(?:[<>](?!\()[<>&|]{0,2}-?)`
const parts = new RegExp(`(?<redirection>${operator}\\s*(?:${quotes}|[^\\s<>|&;])*)|${quotes}|[^]`, 'g')

export function readRedirections(line: string): Redirected {
  const found = [...line.matchAll(parts)].map((match) => ({text: match[0], is: match.groups?.['redirection']}))
  const isFile = found.at(-1)?.is !== undefined
  return {text: found.map(({text, is}) => (is === undefined ? text : '')).join(''), isFile}
}
