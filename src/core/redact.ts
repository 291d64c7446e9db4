import {createProcessState} from './process-state.js'
import {secretForms} from './secret-forms.js'

/** Everything that the process prints is redacted, also by libraries. The pattern finds all secrets, in any case. */
const state = createProcessState(() => ({secrets: new Set<string>(), pattern: undefined as RegExp | undefined}))
const shortestSecret = 4
/** Shorter parts of an address are words that messages may contain, too. */
const shortestUrlPart = 12

/** Registers a value that must never be shown, in any encoding. */
export function registerSecret(value: string | undefined): void {
  if (!value || value.length < shortestSecret) return
  for (const form of secretForms(value)) state().secrets.add(form)
  state().pattern = undefined
}

/**
 * The password in the address of a proxy or a database, as written there and decoded, also where the address is not
 * valid. Whether there is any.
 */
export function registerAddress(text: string): boolean {
  const [, rest = ''] = /^(?:[^/@]*\/\/)?(.*)$/s.exec(text) ?? []
  const found = [
    /^[^:/@]*:([^@]*)@/.exec(rest)?.[1],
    /^[^:@]*:(.*)@/s.exec(rest)?.[1],
    /[?&]password=([^&]*)/.exec(rest)?.[1],
    /\bpassword\s*=\s*(?:'((?:[^'\\]|\\.)*)|(\S+))/i.exec(rest)?.slice(1).find(Boolean),
  ]
  for (const password of found) {
    registerSecret(password)
    registerSecret(password && decode(password))
  }
  return found.some((password) => password)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An address that is a secret in itself, as those of monitors are; its parts are shown nowhere either. */
export function registerSecretUrl(text: string | undefined): void {
  if (text === undefined) return
  registerSecret(text)
  const {pathname, search, password} = new URL(text)
  for (const part of [pathname.slice(1), search.slice(1), password]) {
    if (part.length >= shortestUrlPart) registerSecret(part)
  }
}

/** Redacts all that is printed on a stream, such as the debug output of Node and libraries. */
export function redactStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = (text: unknown, ...rest: unknown[]) => write(typeof text === 'string' ? redact(text) : text, ...rest)
}

/** Replaces registered secrets; everything that is shown or logged passes here. */
export function redact(text: string): string {
  return state().secrets.size === 0 ? text : text.replace(findPattern(), '[secret]')
}

function findPattern(): RegExp {
  const known = state()
  known.pattern ??= new RegExp([...known.secrets].sort(byLength).map(toPattern).join('|'), 'gi')
  return known.pattern
}

const byLength = (one: string, other: string) => other.length - one.length
const toPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Replaces registered secrets in bytes of JSON, which are copied only where they contain one. */
export function redactBytes(bytes: Buffer): Buffer | string {
  if (state().secrets.size === 0) return bytes
  const text = bytes.toString()
  return text.search(findPattern()) === -1 ? bytes : redact(text)
}
