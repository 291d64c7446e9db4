import {resolve} from 'node:path'
import {flagWord} from '../../core/command-line.js'
import type {ExportFlags} from './export-flags.js'

/** Flags that decide how a command prints, and nothing of what it writes. */
const omitted = ['json', 'quiet', 'verbose', 'no-color', 'no-input', 'fresh']
const paths = ['output-file', 'heartbeat-file', 'log-http']

/** The arguments of `vendorctl` that resume an export and those that start it over, from any folder. */
export function commandsOf(command: string, flags: ExportFlags, path: string): {resume: string; startOver: string} {
  const isFilled = command === 'reports coverage'
  const {fill: _fill, ...plain} = flags
  const named = {...plain, 'output-file': path}
  const resume = [command, ...toArguments(isFilled ? flags : named)].join(' ')
  return {resume, startOver: `${isFilled ? ['reports transactions', ...toArguments(named)].join(' ') : resume} --fresh`}
}

function toArguments(flags: ExportFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]): string[] => {
    if (value === undefined || value === false || omitted.includes(name)) return []
    if (value === true) return [`--${name}`]
    return [value].flat().map((one) => toArgument(name, String(one)))
  })
}

function toArgument(name: string, value: string): string {
  const text = paths.includes(name) ? resolve(value) : value.startsWith('@') ? `@${resolve(value.slice(1))}` : value
  return flagWord(name, text)
}
