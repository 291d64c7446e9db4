import {resolve} from 'node:path'
import {flagWord} from '../../core/command-line.js'
import type {ExportFlags} from './export-flags.js'

/** How a command looks and speaks says nothing of what it writes. */
const left = ['json', 'quiet', 'verbose', 'no-color', 'no-input', 'fresh']
const paths = ['output-file', 'heartbeat-file', 'log-http']

/** The words after `vendorctl` that go on with an export and those that begin it anew, from whatever folder. */
export function wordsAgain(command: string, flags: ExportFlags, path: string): {goOn: string; startOver: string} {
  const isFilled = command === 'reports coverage'
  const {fill: _fill, ...plain} = flags
  const named = {...plain, 'output-file': path}
  const goOn = [command, ...toWords(isFilled ? flags : named)].join(' ')
  return {goOn, startOver: `${isFilled ? ['reports transactions', ...toWords(named)].join(' ') : goOn} --fresh`}
}

function toWords(flags: ExportFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]): string[] => {
    if (value === undefined || value === false || left.includes(name)) return []
    if (value === true) return [`--${name}`]
    return [value].flat().map((one) => toWord(name, String(one)))
  })
}

function toWord(name: string, value: string): string {
  const text = paths.includes(name) ? resolve(value) : value.startsWith('@') ? `@${resolve(value.slice(1))}` : value
  return flagWord(name, text)
}
