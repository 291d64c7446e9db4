import {widthOf} from '../../core/text-width.js'

const narrowest = 40

type Stream = {readonly isTTY?: boolean | undefined; readonly columns?: number | undefined}

/**
 * Text fitted to a stream: on a terminal, lines are broken between words and continued with an indent. Elsewhere, and in
 * aligned columns, nothing is changed.
 */
export function foldFor({isTTY, columns = 0}: Stream, text: string): string {
  return isTTY && columns >= narrowest ? foldText(text, columns) : text
}

/** Breaks lines longer than `width` between words. Rows of tables stay, and so does a command. */
export function foldText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) > width ? foldLine(line, width) : line))
    .join('\n')
}

function foldLine(line: string, width: number): string {
  const gaps = [...line.trimStart().matchAll(/ {2,}/g)]
  if (gaps.length > 1) return line
  const start = line.length - line.trimStart().length
  const [gap] = gaps
  const hanging = gap ? start + gap.index + gap[0].length : start + 2
  if (hanging > width / 2) return line
  const head = line.slice(0, gap ? hanging : start)
  return foldWords(toPieces(line.slice(head.length)), {head, hanging, width})
}

/** A command within a sentence. */
const command =
  /(?<=^|: |→ |\d\. )vendorctl (?:'[^']*'|"[^"]*"|[^'"])*?(?:$|[.;](?= [A-Z]|$)|[,;](?= (?:then|or|and) )|(?= (?:then|or|and) ))/g

/** Words, and each command as one piece: pasted in two lines, it would be two commands. */
export function toPieces(text: string): string[] {
  const pieces: string[] = []
  let end = 0
  for (const {0: found, index} of text.matchAll(command)) {
    pieces.push(...text.slice(end, index).split(' ').filter(Boolean), found)
    end = index + found.length
  }
  const rest = text.slice(end)
  return rest === '' && end > 0 ? pieces : [...pieces, ...rest.replace(end > 0 ? /^ / : '', '').split(' ')]
}

type Frame = {head: string; hanging: number; width: number}

function foldWords(pieces: readonly string[], {head, hanging, width}: Frame): string {
  const lines = [head]
  let used = widthOf(head)
  let isFirst = true
  for (const piece of pieces) {
    const room = widthOf(piece) + (isFirst ? 0 : 1)
    if (!isFirst && used + room > width) {
      lines.push(' '.repeat(hanging) + piece)
      used = hanging + widthOf(piece)
    } else {
      lines[lines.length - 1] += `${isFirst ? '' : ' '}${piece}`
      used += room
    }
    isFirst = false
  }

  return lines.join('\n')
}
