import {expect, test} from 'vitest'
import {CredentialStore} from '../../src/settings/credential-store.js'
import {findCredentials} from '../../src/settings/credentials.js'
import {Profiles} from '../../src/settings/profiles.js'
import {resolveSettings} from '../../src/settings/settings.js'
import {makeFolder} from '../support/folder.js'

const baseUrl = 'https://api.example.com'

test('the stored password is not that of another user', async () => {
  const environment = {XDG_CONFIG_HOME: makeFolder(), XDG_STATE_HOME: makeFolder()}
  const profiles = new Profiles(environment, makeFolder())
  await profiles.set('prod', {baseUrl})
  const resolved = resolveSettings({profile: 'prod'}, environment, profiles)
  const stored = {baseUrl, apiKey: 'key', username: 'ann', password: 'of ann'}
  await new CredentialStore(environment).write(`prod/${resolved.values.stage.value}`, stored)

  const [ben, ann] = await Promise.all(
    ['ben', 'ann'].map((name) => findCredentials(resolved, {...environment, VENDORCTL_USERNAME: name})),
  )

  expect(ben?.credentials).toEqual({apiKey: 'key', username: 'ben'})
  expect(ann?.credentials).toEqual({apiKey: 'key', username: 'ann', password: 'of ann'})
})

test.each([
  [{VENDORCTL_USERNAME: 'ben', VENDORCTL_PASSWORD: 'of ben'}, 'ben', undefined],
  [{VENDORCTL_USERNAME: 'ann', VENDORCTL_PASSWORD: 'of ann'}, 'ann', 'token of ann'],
  [{VENDORCTL_PASSWORD: 'of ann'}, 'ann', 'token of ann'],
])('beside the stored key of ann, %j has the tokens of %s', async (variables, username, found) => {
  const environment = {XDG_CONFIG_HOME: makeFolder(), XDG_STATE_HOME: makeFolder()}
  const profiles = new Profiles(environment, makeFolder())
  await profiles.set('prod', {baseUrl})
  const resolved = resolveSettings({profile: 'prod'}, environment, profiles)
  const key = `prod/${resolved.values.stage.value}`
  const token = {accessToken: 'token of ann'}
  await new CredentialStore(environment).write(key, {baseUrl, apiKey: 'key', username: 'ann', token})

  const {credentials, tokens} = await findCredentials(resolved, {...environment, ...variables})
  const before = await tokens.read()
  await tokens.write({accessToken: 'another'})

  expect(credentials).toMatchObject({apiKey: 'key', username})
  expect(before?.accessToken).toBe(found)
  const stored = new CredentialStore(environment).find(key)?.token?.accessToken
  expect(stored).toBe(username === 'ann' ? 'another' : 'token of ann')
  expect((await tokens.read())?.accessToken).toBe('another')
})
