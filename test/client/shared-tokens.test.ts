import {mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {createSharedTokens, createTokenFile} from '../../src/client/shared-tokens.js'
import type {Token, TokenStore} from '../../src/client/types.js'
import {CliFailure} from '../../src/core/errors.js'
import {failureOf} from '../support/client.js'
import {test} from '../support/folder.js'

const facts = ['https://api.example.test', 'v2.1', 'key', 'ana']
const token: Token = {accessToken: 'TOKEN-1', userName: 'ana@example.test'}

describe('a token in a file', () => {
  const pathOf = (folder: string) => join(folder, 'tokens', readdirSync(join(folder, 'tokens'))[0] ?? '')

  test('is for its login and its owner alone', async ({folder}) => {
    const store = createTokenFile(folder, facts)
    expect(await store.read()).toBeUndefined()

    await store.write(token)

    expect(await store.read()).toEqual(token)
    expect(await createTokenFile(folder, [...facts, 'other']).read()).toBeUndefined()
    expect(statSync(pathOf(folder)).mode & 0o777).toBe(0o600)
    await store.write(undefined)
    expect(readdirSync(join(folder, 'tokens'))).toEqual([])
  })

  test.for(['', '{', '{}', '{"accessToken":5}'])('that reads %j is none', async (text, {folder}) => {
    const store = createTokenFile(folder, facts)
    await store.write(token)
    writeFileSync(pathOf(folder), text)

    expect(await store.read()).toBeUndefined()
  })

  test('that cannot be kept is a failure of the disk', async ({folder}) => {
    writeFileSync(join(folder, 'tokens'), '')

    expect(await failureOf(createTokenFile(folder, facts).write(token))).toMatchObject({
      ...{code: 'STATE_UNWRITABLE', exit: 'storage', retry: 'safe', message: expect.stringMatching(/E[A-Z]+$/)},
    })
  })
})

describe('a login that runs share', () => {
  const share = (folder: string, tokens: Partial<TokenStore> = {}, signal = new AbortController().signal) => {
    const told: unknown[] = []
    const write = async (next: Token | undefined) => void told.push(['written', next])
    const store = createSharedTokens(
      {read: async () => token, write, ...tokens},
      {
        ...{facts, stateFolder: () => folder, signal},
        note: (text) => told.push(text),
        onSecret: (secret) => told.push(secret),
      },
    )
    return {store, told}
  }

  test('says each token before it is stored', async ({folder}) => {
    const {store, told} = share(folder)

    await store.write(token)
    await store.write(undefined)

    expect(told).toEqual(['TOKEN-1', ['written', token], undefined, ['written', undefined]])
    expect(await store.read()).toBe(token)
  })

  test.for(['STATE_UNWRITABLE', 'STATE_BUSY', 'CREDENTIALS_OPEN'] as const)(
    'goes on or not after %s',
    async (code, {folder}) => {
      const failure = new CliFailure('No room', {code})
      const {store, told} = share(folder, {write: () => Promise.reject(failure)})
      const isOfStorage = code !== 'CREDENTIALS_OPEN'

      const written = await store.write(token).catch((error: unknown) => error)

      expect(written).toBe(isOfStorage ? undefined : failure)
      expect(told.slice(1)).toEqual(isOfStorage ? ['warning: No room. The next command logs in again.'] : [])
    },
  )

  test('is one at a time, and the next one has its turn though it failed', async ({folder}) => {
    const order: string[] = []
    const take = (name: string, end: Promise<unknown>) =>
      share(folder).store.exclusively?.(async () => {
        order.push(`${name} begins`)
        await end
        order.push(`${name} ends`)
        throw new Error(name)
      })
    const ending = Promise.withResolvers<void>()

    const both = [take('one', ending.promise), take('two', Promise.resolve())]
    await new Promise((resolve) => setTimeout(resolve, 60))
    ending.resolve()

    expect((await Promise.allSettled(both)).map(({status}) => status)).toEqual(['rejected', 'rejected'])
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
  })

  test('is made by each for itself where there can be no lock, and not waited for once stopped', async ({folder}) => {
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'state'))
    const work = async () => 'done'
    const reason = new Error('Ctrl-C')

    expect(await share(join(folder, 'file')).store.exclusively?.(work)).toBe('done')
    await expect(share(join(folder, 'state'), {}, AbortSignal.abort(reason)).store.exclusively?.(work)).rejects.toBe(
      reason,
    )
  })
})
