/** Line ends inside a text: LF, CRLF or a lone CR. */
export function countLineEnds(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0
  return text.split(/\r\n|\n|\r/).length - 1
}
