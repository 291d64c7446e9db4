import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {Profiles} from '../../src/settings/profiles.js'
import {resolveSettings} from '../../src/settings/settings.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'

const all = {
  current: 'fleet',
  profiles: {
    fleet: {baseUrl: 'https://fleet.example.com', rate: '5', approval: 'required'},
    spare: {baseUrl: 'https://spare.example.com'},
  },
}
let folder = ''
let system = ''
let environment: Record<string, string> = {}
const open = () => new Profiles(environment, system)

beforeEach(() => {
  folder = makeFolder()
  system = join(folder, 'etc')
  environment = {XDG_CONFIG_HOME: folder}
  mkdirSync(system)
  writeFileSync(join(system, 'profiles.json'), JSON.stringify(all), {mode: 0o644})
})

function settingOf(key: 'baseUrl' | 'rate' | 'burst' | 'approval') {
  const {value, origin} = resolveSettings({profile: 'fleet'}, environment, open()).values[key]
  return [value, origin]
}

test('a setting is taken from the variable, then the own profile, then the one of all users', async () => {
  expect(settingOf('rate')).toEqual(['5', 'system'])
  expect(settingOf('burst')[1]).toBe('default')

  await open().set('fleet', {rate: '7'})
  expect(settingOf('rate')).toEqual(['7', 'profile'])
  expect(settingOf('baseUrl')).toEqual(['https://fleet.example.com', 'system'])

  environment['VENDORCTL_RATE'] = '9'
  expect(settingOf('rate')).toEqual(['9', 'environment'])
})

test('neither a variable nor an own profile weakens what the profile of all users demands', async () => {
  environment['VENDORCTL_APPROVAL'] = 'none'
  await open().set('fleet', {approval: 'none'})

  expect(settingOf('approval')).toEqual(['required', 'system'])

  await open().set('fleet', {approval: 'required:other'})
  expect(settingOf('approval')).toEqual(['required:other', 'profile'])
})

test('its current profile is in use until the user chooses one, and its names stand beside those of the user', async () => {
  expect([open().inUse, open().names()]).toEqual(['fleet', ['fleet', 'spare']])

  await open().set('mine', {baseUrl: 'https://mine.example.com'})
  await open().use('mine')
  expect([open().inUse, open().names()]).toEqual(['mine', ['fleet', 'mine', 'spare']])
})

test('it is never written', async () => {
  await open().set('fleet', {rate: '7'})
  await open().use('spare')
  await open().remove('fleet')

  expect(JSON.parse(readFileSync(join(system, 'profiles.json'), 'utf8'))).toEqual(all)
  expect(settingOf('rate')).toEqual(['5', 'system'])
})

test.skipIf(process.platform === 'win32')('one that others can change is named and not used', () => {
  chmodSync(join(system, 'profiles.json'), 0o666)

  const failure = failureOfCall(() => open().names())
  expect([failure.exit, failure.message]).toEqual(['unsafe', expect.stringContaining(join(system, 'profiles.json'))])
})
