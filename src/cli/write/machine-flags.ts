import {Flags} from '@oclif/core'
import type {ReadId} from '../../contract/index.js'
import {environmentName as env, resultFlags} from '../app/flags.js'
import {FlagValueError} from '../app/usage-error.js'
import {filterFlags} from '../read/filter-flags.js'
import {inputFlags} from './input-flags.js'
import {planFlags} from './plan-flags.js'
import {fileFlag, sharedWriteFlags, updateFlags} from './write-flags.js'

const shared = {
  file: Flags.string(fileFlag),
  ...inputFlags,
  ...sharedWriteFlags,
  ...planFlags,
}

/** Flags of a write that applies one template to machines, which are named, found by `read`, or listed in a file. */
export const templateFlags = (read: ReadId) => ({
  template: oneId('template', 'Template to apply; exactly one.'),
  ...filterFlags(read, ['includeDeleted']),
  ...shared,
  'send-unchanged': updateFlags['send-unchanged'],
  'fail-on-empty': resultFlags['fail-on-empty'],
})

/** Flags of a write to machines that this login may not see yet: by serial, or from a file. */
export const provisionFlags = () => ({
  organization: oneId('organization', 'Organization that gets the machines; exactly one.', 'org'),
  machine: Flags.string({
    env: env('machine'),
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'INPUT',
    helpValue: 'A,B|@FILE',
    description: 'These machines, by PROSE serial.',
  }),
  ...shared,
})

function oneId(name: string, description: string, alias?: string) {
  return Flags.string({
    env: env(name),
    helpGroup: 'INPUT',
    helpValue: 'ID',
    description,
    ...(alias && {aliases: [alias]}),
    parse: async (text) => {
      if (/^[1-9]\d*$/.test(text.trim())) return text.trim()
      throw new FlagValueError(`--${name} takes exactly one id: "${text}".`)
    },
  })
}
