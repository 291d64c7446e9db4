import {Flags} from '@oclif/core'
import {clientFlags, environmentName as env} from '../app/flags.js'

/** Flags of `auth login`; no flag takes a secret itself. */
export const loginFlags = {
  ...clientFlags,
  username: Flags.string({env: env('username'), helpGroup: 'LOGIN', description: 'User name (e-mail).'}),
  'api-key-file': Flags.string({
    env: env('api-key-file'),
    helpGroup: 'LOGIN',
    helpValue: 'FILE',
    description: 'File that holds the API key.',
  }),
  'password-file': Flags.string({
    env: env('password-file'),
    helpGroup: 'LOGIN',
    helpValue: 'FILE',
    description: 'File that holds the password.',
  }),
  'password-stdin': Flags.boolean({
    env: env('password-stdin'),
    helpGroup: 'LOGIN',
    description: 'Read the password from standard input.',
  }),
  'save-password': Flags.boolean({
    env: env('save-password'),
    helpGroup: 'LOGIN',
    description: 'Also store the password, so that the token can be renewed unattended.',
  }),
}
