import {expect, test} from 'vitest'
import {type Profile, Profiles} from '../../src/settings/profiles.js'
import {resolveSettings} from '../../src/settings/settings.js'
import {makeFolder} from '../support/folder.js'

async function resolved(stored: Profile, variables: Record<string, string>) {
  const environment = {XDG_CONFIG_HOME: makeFolder(), ...variables}
  const profiles = new Profiles(environment, makeFolder())
  await profiles.set('prod', stored)
  return resolveSettings({profile: 'prod'}, environment, profiles).values
}

test.each([
  ['none', 'required', 'required'],
  ['none', 'required:other', 'required:other'],
  ['required', 'none', 'required'],
  ['required', '', 'required'],
  ['required', 'required:other', 'required:other'],
  ['required:other', 'none', 'required:other'],
  ['required:other', 'required', 'required:other'],
])('approval=%s of a profile and %j of a variable make %s', async (stored, variable, effective) => {
  const {approval} = await resolved({approval: stored}, {VENDORCTL_APPROVAL: variable})

  expect(approval.value).toBe(effective)
})

test('a variable names the approvers only where the profile does not', async () => {
  const variable = {VENDORCTL_APPROVERS: '/tmp/mine'}

  expect((await resolved({approvers: '/etc/signers'}, variable)).approvers.value).toBe('/etc/signers')
  expect((await resolved({}, variable)).approvers.value).toBe('/tmp/mine')
})
