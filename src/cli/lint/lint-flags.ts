import {Flags} from '@oclif/core'
import {type WriteId, writeIds} from '../../contract/index.js'
import {type FlagValues, grouped, named} from '../app/flags.js'
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
  ...grouped('OUTPUT', {
    match: Flags.string(matchFlag),
    fix: Flags.string({helpValue: 'PATH', description: 'Write a copy with every certain fix applied.'}),
    report: Flags.string({
      helpValue: 'PATH',
      description: 'Write the rows to an .xlsx file: a column _problem in front, problem cells in colour.',
    }),
    overwrite: Flags.boolean({description: 'Replace an existing file.'}),
    'fail-on-warning': Flags.boolean({description: 'Exit 3 for warnings as well as errors.'}),
  }),
}

export type LintFlags = FlagValues<typeof lintFlags> & {readonly operation: WriteId}
