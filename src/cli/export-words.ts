import {exitCodeOf} from '../contract/index.js'
import type {ExportOutcome} from '../reports/finish-export.js'

export const nothingMatched = {
  code: 'EMPTY',
  message: 'nothing matched',
  exit: exitCodeOf('empty').code,
  changed: 'none',
  retry: 'after-fix',
  hint: 'Check the filters and the range, or leave --fail-on-empty out.',
} as const

export function describeOutcome(path: string, {kind, manifest}: ExportOutcome, used: number): string {
  const {rows, pages, grade, requests} = manifest
  if (kind === 'complete')
    return `${path} is complete already: ${count(rows, 'row')}, grade ${grade}; nothing was read.`
  const probes = requests.probes > 0 ? ` (${requests.probes} for seams)` : ''
  return `${path}: ${count(rows, 'row')}, ${count(pages, 'page')}, ${count(used, 'request')}${probes}, grade ${grade}`
}

export function describeKept(path: string, rows: number): string {
  return `${path}.part holds ${count(rows, 'row')}; the same command goes on from there.`
}

export function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`
}
