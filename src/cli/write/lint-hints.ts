import {basename, extname} from 'node:path'
import type {WriteId} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
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
  const end = extname(path)
  const out = (word: string, ending: string) => (isSaved ? `${basename(path, end)}.${word}${ending}` : `OUT${ending}`)
  const isOfLocale = problems.some(({code}) => code === 'OTHER_LOCALE') // which a copy would no longer show
  const certain = isOfLocale ? 0 : problems.filter(({write}) => write?.length === 1).length
  const start = isSaved ? '' : 'Save the input as FILE. '
  return [
    ...(certain > 0
      ? [
          `${start}Fix ${certain} of ${counted(problems.length, 'problem')} in a copy: ${lint('fix', out('fixed', end))}`,
        ]
      : []),
    `${certain > 0 ? '' : start}See them in a spreadsheet, in colour: ${lint('report', out('problems', '.xlsx'))}`,
  ]
}
