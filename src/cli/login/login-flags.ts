import {Flags} from '@oclif/core'
import {clientFlags, named} from '../app/flags.js'

/** Flags of `auth login`; no flag takes a secret itself. */
export const loginFlags = named({
  ...clientFlags,
  username: Flags.string({helpGroup: 'LOGIN', description: 'User name (e-mail).'}),
  'api-key-file': Flags.string({
    helpGroup: 'LOGIN',
    helpValue: 'FILE',
    description: 'File that holds the API key.',
  }),
  'password-file': Flags.string({
    helpGroup: 'LOGIN',
    helpValue: 'FILE',
    description: 'File that holds the password.',
  }),
  'password-stdin': Flags.boolean({
    helpGroup: 'LOGIN',
    description: 'Read the password from standard input.',
  }),
  'save-password': Flags.boolean({
    helpGroup: 'LOGIN',
    description: 'Also store the password, so that the token can be renewed unattended.',
  }),
})
