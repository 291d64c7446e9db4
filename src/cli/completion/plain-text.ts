const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** Whether a text can stand on a command line as it looks: no line ends, escape sequences or marks that turn it round. */
export function isPlain(text: string): boolean {
  return text !== '' && !unseen.test(text)
}

/** A description on one line, without anything that a terminal obeys. */
export function toPlainLine(text: string): string {
  return text.replaceAll(new RegExp(unseen.source, 'gu'), ' ').replaceAll(/ {3,}/g, '  ').trim()
}
