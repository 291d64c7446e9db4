import {expect, test} from 'vitest'
import {CliFailure} from '../../src/core/errors.js'
import {nameProfile} from '../../src/settings/name-source.js'

const said = (hint: string, named: {profile?: unknown; stage?: unknown}) =>
  nameProfile(new CliFailure('no', {code: 'USAGE', exit: 'denied', hints: [hint]}), named).hints

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
  ['See: vendorctl explain 4', {profile: 't1'}, 'See: vendorctl explain 4'],
] as const)('%s %j', ([hint, named, expected]) => {
  const hints = said(hint, named)

  expect(hints).toEqual([expected])
})
