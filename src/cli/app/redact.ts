import {secretForms} from '../../values/secret-forms.js'

const secrets = new Set<string>()
const shortestSecret = 4

/** Makes known a value that must never be shown, whatever prints it and however it is encoded. */
export function registerSecret(value: string | undefined): void {
  if (!value || value.length < shortestSecret) return
  for (const form of secretForms(value)) secrets.add(form)
}

/** Makes what others print on a stream pass the same choke point, such as the debug output of Node and libraries. */
export function redactStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = (text: unknown, ...rest: unknown[]) => write(typeof text === 'string' ? redact(text) : text, ...rest)
}

/** The one choke point of everything that is shown or logged: known secrets are replaced. */
export function redact(text: string): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
  return shown
}
