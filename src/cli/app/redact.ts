import {secretForms} from '../../values/secret-forms.js'

/** Of the process: everything that it prints is redacted, also by libraries. */
const secrets = new Set<string>()
const shortestSecret = 4

/** Registers a value that must never be shown, in any encoding. */
export function registerSecret(value: string | undefined): void {
  if (!value || value.length < shortestSecret) return
  for (const form of secretForms(value)) secrets.add(form)
}

/** Redacts all that is printed on a stream, such as the debug output of Node and libraries. */
export function redactStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = (text: unknown, ...rest: unknown[]) => write(typeof text === 'string' ? redact(text) : text, ...rest)
}

/** Replaces registered secrets; everything that is shown or logged passes here. */
export function redact(text: string): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
  return shown
}
