import {Args, Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

export const nameArgument = Args.string({required: true, ignoreStdin: true, description: 'A name of --since-last.'})

export const scopeFlag = Flags.string({
  env: env('scope'),
  helpValue: 'ID',
  description:
    'The filters and columns that are meant, where the name was used with several; as `exports list` shows it.',
})
