import {chmodSync, mkdirSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'

describe('where the service is', () => {
  test.concurrent.for([
    ['http://192.0.2.1', 14],
    ['api.example.com', 2],
  ] as const)('%s is refused before anything is sent', async ([url, exitCode], {run}) => {
    const ran = await run(['machines', 'list'], {environment: {VENDORCTL_BASE_URL: url}})

    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/https|URL/)
  })
})

describe('a filter that is lost on the way', () => {
  test.concurrent.for([
    ['strip-get-body@*', 10],
    ['reject-get-body@*', 75],
  ] as const)('is found by doctor, which names what works: %s', async ([fault, exitCode], {start}) => {
    const {run} = await start({faults: [fault]})

    const ran = await run(['doctor', '--json'])

    const {data, ok} = JSON.parse(ran.stdout) as {ok: boolean; data: {name: string; ok: boolean; text: string}[]}
    expect(ran.exitCode).toBe(exitCode)
    expect(ok).toBe(false)
    expect(data.find(({name}) => name === 'read by GET')).toMatchObject({ok: false})
    expect(data.find(({name}) => name === 'read by POST')).toMatchObject({ok: true})
  })

  test.concurrent('doctor without a service or credentials checks what it can', async ({sandbox, home, alone}) => {
    const checks = async (environment: Record<string, string>) => {
      const {exitCode, stdout} = await alone(['doctor', '--json'], {environment})
      const {data, errors} = JSON.parse(stdout) as {
        data: {name: string; ok: boolean | null; text: string}[]
        errors: []
      }
      const named = (ok: boolean | null) => data.filter((check) => check.ok === ok).map(({name}) => name)
      const why = [...new Set(data.filter(({ok}) => ok === null).map(({text}) => text))]
      return {exitCode, ok: named(true), failed: named(false), errors: errors.length, why, count: data.length}
    }

    const bare = await checks({})
    const keyless = await checks({VENDORCTL_BASE_URL: sandbox.url})
    mkdirSync(home.config, {recursive: true})
    chmodSync(home.config, 0o777)
    const open = await checks({VENDORCTL_BASE_URL: sandbox.url})

    const folders = ['config folder', 'state folder']
    expect(bare).toEqual({
      ...{exitCode: 2, ok: folders, failed: ['service'], errors: 1, count: 12},
      why: ['not run: first fix "service"'],
    })
    expect(keyless).toEqual({
      ...{exitCode: 4, ok: [...folders, 'service', 'proxy', 'name'], failed: ['credentials'], errors: 1, count: 12},
      why: ['not run: first fix "credentials"'],
    })
    expect(open).toEqual({
      ...{exitCode: 14, ok: ['state folder'], failed: ['config folder'], errors: 1, count: 12},
      why: ['not run: first fix "config folder"'],
    })
  })
})
