import {basename, extname} from 'node:path'
import type {WriteId} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {isWorkbookName} from '../../formats/read/sniff.js'
import type {Problem} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import type {FlagValues} from '../app/flags.js'
import {givenInput, type inputFlags} from './input-flags.js'

type Asked = {operation: WriteId; file: string; flags: FlagValues<typeof inputFlags>; problems: readonly Problem[]}

/** What lint does about a file with problems, as commands with the input flags of this one. */
export function lintHints({operation, file, flags, problems}: Asked): string[] {
  if (problems.length === 0) return []
  const isSaved = file !== '-'
  const path = isSaved ? file : 'FILE'
  const lint = (flag: 'fix' | 'report', to: string) =>
    commandLine('lint', [path], {operation, ...givenInput(flags), [flag]: to})
  const end = isWorkbookName(path) ? '.xlsx' : extname(path) // no other workbook is written
  const out = (word: string, ending: string) =>
    isSaved ? `${basename(path, extname(path))}.${word}${ending}` : `OUT${ending}`
  const unknown = new Set(problems.filter(isUnknown).map(({columnName}) => columnName)) // a copy has them as they are
  const isCertain = ({write, columnName}: Problem) => write?.length === 1 && !unknown.has(columnName)
  const certain = problems.some(preventsCopy) ? 0 : problems.filter(isCertain).length
  const start = isSaved ? '' : 'Save the input as FILE. '
  const remedies = [...new Set(problems.flatMap(({remedy}) => remedy ?? []))]
  return [
    ...(remedies.length > 0 ? [`To read its columns that way, add: ${remedies.join(' ')}`] : []),
    ...(certain > 0
      ? [
          `${start}Fix ${certain} of ${counted(problems.length, 'problem')} in a copy: ${lint('fix', out('fixed', end))}`,
        ]
      : []),
    `${certain > 0 ? '' : start}See them in a spreadsheet, in colour: ${lint('report', out('problems', '.xlsx'))}`,
  ]
}

function isUnknown({code}: Problem): boolean {
  return code === 'UNKNOWN_COLUMN'
}

/** What a copy would no longer show: the locale of a file that names none, cells of a workbook that have no value. */
function preventsCopy({code, sheet}: Problem): boolean {
  return code === 'OTHER_LOCALE' || code === 'UNREADABLE_CELL' || (code === 'NAMELESS_COLUMN' && sheet !== undefined)
}
