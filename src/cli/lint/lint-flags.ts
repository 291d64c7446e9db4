import {Flags} from '@oclif/core'
import {type WriteId, writeIds} from '../../contract/index.js'
import {type FlagValues, named} from '../app/flags.js'
import {inputFlags, matchFlag} from '../write/input-flags.js'

export const lintFlags = {
  ...named({
    operation: Flags.option({
      required: true,
      options: writeIds,
      helpGroup: 'INPUT',
      description: 'Operation that the file is for.',
    })(),
  }),
  ...inputFlags,
  ...named({
    match: Flags.string(matchFlag),
    fix: Flags.string({
      helpGroup: 'OUTPUT',
      helpValue: 'PATH',
      description: 'Write a copy with every certain fix applied.',
    }),
    report: Flags.string({
      helpGroup: 'OUTPUT',
      helpValue: 'PATH',
      description: 'Write the rows to an .xlsx file: a column _problem in front, problem cells in colour.',
    }),
    overwrite: Flags.boolean({
      helpGroup: 'OUTPUT',
      description: 'Replace an existing file.',
    }),
    'fail-on-warning': Flags.boolean({
      helpGroup: 'OUTPUT',
      description: 'Exit 3 if there are only warnings, too.',
    }),
  }),
}

export type LintFlags = FlagValues<typeof lintFlags> & {readonly operation: WriteId}
