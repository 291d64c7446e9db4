import {Flags} from '@oclif/core'
import {clientFlags, grouped} from '../app/flags.js'

/** Flags of `auth login`; no flag takes a secret itself. */
export const loginFlags = grouped('LOGIN', {
  ...clientFlags,
  username: Flags.string({description: 'User name (e-mail).'}),
  'api-key-file': Flags.string({helpValue: 'FILE', description: 'File that holds the API key.'}),
  'password-file': Flags.string({helpValue: 'FILE', description: 'File that holds the password.'}),
  'password-stdin': Flags.boolean({description: 'Read the password from standard input.'}),
  'save-password': Flags.boolean({
    description: 'Also store the password, so that the token can be renewed unattended.',
  }),
})
