import {styleText} from 'node:util'
import type {ExitName} from '../../contract/index.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import {thousands} from '../../values/counted.js'
import {placeText} from '../../values/place.js'
import {hasColor} from '../help/terminal-look.js'
import type {Line} from './messages.js'

type Style = Parameters<typeof styleText>[0]

const groupsShown = 50

/** Endings before anything was sent. */
const harmlessExits: ReadonlySet<string> = new Set(['usage', 'invalid', 'empty'] satisfies ExitName[])

const changedWords = {
  none: 'Nothing was changed.',
  some: 'Some records were changed.',
  unknown: 'It is not known whether records were changed.',
} as const

/**
 * A failure for people: what failed, each problem, what was changed, what to do next. That nothing was changed is shown
 * only for a write that could have changed something, which no usage error and no refused input can.
 */
export function renderFailure(failure: CliFailure, stream: NodeJS.WriteStream, isWrite = false): Line {
  const {message, groups, hints, changed, excerpt} = failure
  const isPlain = !hasColor(stream, process.env)
  const paint = (style: Style, text: string) => (isPlain ? text : styleText(style, text, {validateStream: false}))
  const head = `${paint(['red', 'bold'], 'error')}: ${toSafeText(message)}`
  const quoted = excerpt.map((line) => `  ${toSafeText(line)}`)
  const shown = groups.slice(0, groupsShown).map((entry) => `  ${renderEntry(entry)}`)
  const rest = groups.slice(groupsShown).reduce((sum, {count}) => sum + count, 0)
  const more = rest > 0 ? [`  … and ${thousands(rest)} more (all of them with --json)`] : []
  const steps = hints.map((hint) => `${paint('cyan', '→')} ${toSafeText(hint)}`)
  const isHarmless = changed === 'none' && (!isWrite || harmlessExits.has(failure.exit))
  return {
    safe: [head, ...quoted, ...shown, ...more, ...(isHarmless ? [] : [changedWords[changed]]), ...steps].join('\n'),
  }
}

/** `sites.csv:14:3 error maxChargePrice: not an integer: "5,00"` */
function renderEntry({message, code, ...entry}: ErrorEntry): string {
  const place = placeText(entry)
  return toSafeText([place, place ? 'error' : code, message].filter(Boolean).join(' '))
}
