import {expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import {nameProfile, nameSource} from '../../src/settings/name-source.js'

const environment = {XDG_CONFIG_HOME: '/nonexistent', VENDORCTL_PROFILE: 't2'}
async function said(hint: string, named: {profile?: unknown; stage?: unknown}) {
  const failure = new CliFailure('no', {code: 'USAGE', exit: 'denied', hints: [hint]})
  return (await nameProfile(failure, named, environment)).hints
}

test.for([
  ['Run: vendorctl auth login. Unattended: set X.', {}, 'Run: vendorctl auth login. Unattended: set X.'],
  [
    'Run: vendorctl auth login. Unattended: set X.',
    {profile: 't1'},
    'Run: vendorctl auth login --profile t1. Unattended: set X.',
  ],
  [
    'Check with: vendorctl auth test.',
    {profile: 't1', stage: 'rc'},
    'Check with: vendorctl auth test --profile t1 --stage rc.',
  ],
  [
    "See: vendorctl reports verify 'vendorctl quota'",
    {profile: 't1'},
    "See: vendorctl reports verify 'vendorctl quota'",
  ],
  ['See: vendorctl quota', {profile: 'a b'}, "See: vendorctl quota --profile 'a b'"],
  [
    'Check: vendorctl profiles show. Or set it.',
    {profile: 't1'},
    'Check: vendorctl profiles show --profile t1. Or set it.',
  ],
  ['See: vendorctl auth login --help', {profile: 't1'}, 'See: vendorctl auth login --help'],
  ['Or: vendorctl profiles set NAME rate=5', {profile: 't1'}, 'Or: vendorctl profiles set t1 rate=5'],
  ['Or: vendorctl profiles set NAME rate=5', {}, 'Or: vendorctl profiles set t2 rate=5'],
  ['See: vendorctl explain 4', {profile: 't1'}, 'See: vendorctl explain 4'],
] as const)('%s %j', async ([hint, named, expected]) => {
  const hints = await said(hint, named)

  expect(hints).toEqual([expected])
})

test('a user name without a password is told what it lacks', async () => {
  const failure = new CliFailure('no', {code: 'API_TOKEN', exit: 'denied', hints: ['Run: vendorctl auth login.']})

  const {hints} = await nameSource(failure, {}, {VENDORCTL_USERNAME: 'ben'})

  expect(hints).toEqual(['Set VENDORCTL_PASSWORD, too: another password is used only with its own user name.'])
})
