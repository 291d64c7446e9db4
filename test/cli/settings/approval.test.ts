import {expect, test} from 'vitest'
import type {Profiles} from '../../../src/cli/settings/profiles.js'
import {resolveSettings} from '../../../src/cli/settings/settings.js'

const profilesWith = (stored: Record<string, string>) =>
  ({inUse: 'prod', find: () => stored, names: () => ['prod']}) as unknown as Profiles

const resolved = (stored: Record<string, string>, environment: Record<string, string>) =>
  resolveSettings({}, environment, profilesWith(stored)).values

test.each([
  ['none', 'required', 'required'],
  ['none', 'required:other', 'required:other'],
  ['required', 'none', 'required'],
  ['required', '', 'required'],
  ['required', 'required:other', 'required:other'],
  ['required:other', 'none', 'required:other'],
  ['required:other', 'required', 'required:other'],
])('approval=%s of a profile and %j of a variable make %s', (stored, variable, effective) => {
  const {approval} = resolved({approval: stored}, {VENDORCTL_APPROVAL: variable})

  expect(approval.value).toBe(effective)
})

test('a variable names the approvers only where the profile does not', () => {
  const variable = {VENDORCTL_APPROVERS: '/tmp/mine'}

  expect(resolved({approvers: '/etc/signers'}, variable).approvers.value).toBe('/etc/signers')
  expect(resolved({}, variable).approvers.value).toBe('/tmp/mine')
})
