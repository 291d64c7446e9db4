import {basename} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {splitWords} from '../words.js'

export type Delivered = {
  /** From the root, as is its manifest. */
  file: string
  manifest: string
}

export type DeliveryCommand = {
  usesManifest: boolean
  fill: (delivered: Delivered) => [string, ...string[]]
}

const placeholder = /\{([^{}]*)\}/g
const known = ['file', 'manifest', 'name']

/** The command of `--deliver`. Throws `usage` where it is none, and at an unknown placeholder. */
export function toDeliveryCommand(text: string): DeliveryCommand {
  const words = splitWords(text, 'deliver')
  const used = words.flatMap((word) => [...word.matchAll(placeholder)].map(([, name = '']) => name))
  const unknown = used.find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownPlaceholder(unknown)
  return {
    usesManifest: used.includes('manifest'),
    fill({file, manifest}) {
      const values: Readonly<Record<string, string>> = {file, manifest, name: basename(file)}
      const fillIn = (word: string) => word.replace(placeholder, (_, name: string) => values[name] ?? '')
      const [program, ...rest] = words
      return [fillIn(program), ...rest.map(fillIn)]
    },
  }
}

function unknownPlaceholder(name: string): CliFailure {
  return new CliFailure(`--deliver: no value for {${name}}`, {
    code: 'TEMPLATE',
    exit: 'usage',
    hints: ['Known: {file} (absolute path), {manifest}, {name} (name of the file without its folder).'],
  })
}
