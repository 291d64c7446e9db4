const secrets = new Set<string>()
const shortestSecret = 4

/** Makes known a value that must never be shown, whatever prints it and however it is encoded. */
export function registerSecret(value: string | undefined): void {
  if (!value || value.length < shortestSecret) return
  for (const form of [value, Buffer.from(value).toString('base64'), encodeURIComponent(value)]) secrets.add(form)
}

/** The one choke point of everything that is shown or logged: known secrets are replaced. */
export function redact(text: string): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
  return shown
}
