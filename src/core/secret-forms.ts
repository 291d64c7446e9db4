const deepestQuote = 3

/** A secret in all the ways in which others write it: unchanged, in JSON, in a URL, and in base64. */
export function secretForms(secret: string): string[] {
  const ascii = JSON.stringify(secret)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [
    ...new Set([
      ...quoted(secret),
      ascii,
      ascii.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]),
  ].sort((one, other) => other.length - one.length)
}

/** A service that repeats a login, inside its message, inside an envelope. */
function quoted(secret: string): string[] {
  const forms = [secret]
  for (let depth = 0; depth < deepestQuote; depth++) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1))
  return forms
}
