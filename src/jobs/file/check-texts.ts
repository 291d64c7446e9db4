import {findSecretNames, type Place} from './job.js'
import type {Report} from './read-values.js'
import type {Entry, Value} from './yaml-entries.js'

const secretName = /(^|[-_])(api[-_]?key|password|passwd|token|secret|authorization|credentials?)$/i
/** A header or a flag with a secret as its value. */
const secretText =
  /(?:^|[\s'"])(?:-{1,2}[\w-]*(?:password|token|secret|api-?key)[ =]|(?:authorization|proxy-authorization|cookie|x-api-key|x-[\w-]*(?:token|key|secret))\s*:\s*)(\S.*)/i
const passwordInUrl = /\w:\/\/[^/\s:@]+:([^/\s@]+)@/
/** What a shell would fill in, and this program does not. */
const odd = /\$(?:\{(?![A-Za-z_]\w*\})[^}]*\}?|\([^)]*\)?|[A-Z_][A-Z0-9_]+)/

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u
const variables = /\$\{[^}$]*\}/g
export const filePlaceholders = ['date', 'time', 'start', 'end', 'name']
const deliveryPlaceholders = ['file', 'manifest', 'name']

/** Whether a key is named as a secret is. */
export function isSecretName(key: string): boolean {
  return secretName.test(key)
}

export function secretMessage(key: string): string {
  return `${key}: a secret is never in the jobs file; vendorctl auth login stores it, or set VENDORCTL_API_KEY and VENDORCTL_PASSWORD`
}

/** Reports what is wrong with the texts of a job, wherever they stand: secrets, variables, placeholders. */
export function checkTexts({entries}: {entries: Entry[]}, report: Report): void {
  for (const {key, value} of entries) {
    forEachText(value, (text, place) => checkText(text, place, report))
    if (key === 'deliver')
      forEachText(value, (text, place) => checkPlaceholders(text, deliveryPlaceholders, place, report))
    if (key === 'args') checkArguments(value, report)
    const flags = key === 'flags' && value.kind === 'mapping' ? value.entries : []
    for (const {value: list} of flags.filter((each) => each.value.kind === 'list')) checkArguments(list, report)
    for (const flag of flags.filter((each) => each.key === 'output-file')) {
      forEachText(flag.value, (text, place) => checkTemplate(text, flags, place, report))
    }
  }
}

function forEachText(value: Value, look: (text: string, place: Place) => void): void {
  if (value.kind === 'text') look(value.text, value.place)
  if (value.kind === 'list') for (const one of value.values) forEachText(one, look)
  if (value.kind === 'mapping') for (const {value: one} of value.entries) forEachText(one, look)
}

function checkText(text: string, place: Place, report: Report): void {
  const secret = secretText.exec(text)?.[1] ?? passwordInUrl.exec(text)?.[1]
  if (secret !== undefined && !secret.includes('${')) {
    report(place, `a secret is never in the jobs file: write the name of a variable instead, as in \${NAME}`)
  }
  const [wrong] = odd.exec(text) ?? []
  if (wrong) report(place, `${wrong} is not filled in: write \${NAME}, the name of a variable and nothing else`)
  if (/^~[/\\]/.test(text)) report(place, `~ is not filled in: write \${HOME}${text.slice(1)}`)
}

/** What stands in the arguments of a process, as other flags do not. */
function checkArguments(value: Value, report: Report): void {
  forEachText(value, (text, place) => {
    const [name] = findSecretNames(text)
    if (name === undefined) return
    report(place, `\${${name}} could be read in the list of processes; give it another name if it is no secret`)
  })
}

function checkPlaceholders(text: string, known: readonly string[], place: Place, report: Report): void {
  for (const [written, name = ''] of text.replace(variables, '').matchAll(/\{([^{}]*)\}/g)) {
    if (!known.includes(name))
      report(place, `unknown placeholder ${written}; known: ${known.map((one) => `{${one}}`).join(', ')}`)
  }
}

function checkTemplate(text: string, flags: readonly Entry[], place: Place, report: Report): void {
  if (control.test(text)) report(place, 'output-file holds a line break or another control character')
  checkPlaceholders(text, filePlaceholders, place, report)
  const path = text.replace(variables, '')
  if (path.includes('{') && /[/\\}]\.\.(?:[/\\]|$)/.test(path.slice(path.indexOf('{') + 1)))
    report(place, 'output-file leaves its folder: no .. after a placeholder')
  if (path.includes('{name}') && !flags.some(({key}) => key === 'since-last')) {
    report(place, '{name} is that of since-last, which is not set in flags')
  }
}
