import {Flags} from '@oclif/core'
import {type WriteId, writeIds} from '../../contract/index.js'
import {environmentName as env, type FlagValues} from '../app/flags.js'
import {inputFlags, matchFlag} from '../write/input-flags.js'

export const lintFlags = {
  operation: Flags.option({
    env: env('operation'),
    required: true,
    options: writeIds,
    helpGroup: 'INPUT',
    description: 'Operation that the file is for.',
  })(),
  ...inputFlags,
  match: Flags.string(matchFlag),
  fix: Flags.string({
    env: env('fix'),
    helpGroup: 'OUTPUT',
    helpValue: 'PATH',
    description: 'Write a copy with every certain fix applied.',
  }),
  report: Flags.string({
    env: env('report'),
    helpGroup: 'OUTPUT',
    helpValue: 'PATH',
    description: 'Write the rows to an .xlsx file: a column _problem in front, problem cells in colour.',
  }),
  overwrite: Flags.boolean({
    env: env('overwrite'),
    helpGroup: 'OUTPUT',
    description: 'Replace an existing file.',
  }),
  'fail-on-warning': Flags.boolean({
    env: env('fail-on-warning'),
    helpGroup: 'OUTPUT',
    description: 'Exit 3 if there are only warnings, too.',
  }),
}

export type LintFlags = FlagValues<typeof lintFlags> & {readonly operation: WriteId}
