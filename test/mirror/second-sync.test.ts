import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {growthOf} from '../support/growth.js'
import {syncHere} from '../support/mirror.js'
import {paged, reply, startVendor} from '../support/vendor.js'

const size = 1_000

/** A list of so many selections; every other list is empty. */
async function serve(count: number) {
  const record = (id: number) =>
    `{"id":${id},"machineId":${id % 97},"selectionNumber":"A${id}","count":${id % 40},"minStock":5,"maxChargePrice":2.5}`
  const pages = Array.from({length: Math.ceil(count / size)}, (_, page) => {
    const ids = Array.from({length: Math.min(size, count - page * size)}, (_, index) => page * size + index + 1)
    return Buffer.from(`[${ids.map(record).join()}]`)
  })
  return startVendor((socket, {path, headers}) => {
    if (path.includes('authenticate')) return socket.write(reply(200, '{"accessToken":"token"}'))
    const page = Number(headers['page'])
    if (path.endsWith('/selections') && headers['page'] !== undefined)
      return socket.write(reply(200, pages[page - 1] ?? '[]', paged(page, size, pages.length)))
    return socket.write(reply(200, path.includes('rights-at') ? '{}' : '[]', paged(1, size, 0)))
  })
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const {user, system} = process.cpuUsage(before)
  return user + system
}

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-'))
  await work(join(folder, 'mirror.db')).finally(() => rmSync(folder, {recursive: true}))
}

test('a second sync of lists that are what they were costs less than half of the first', () =>
  inFolder(async (path) => {
    await using vendor = await serve(30_000)
    const service = {url: vendor.url, apiKey: 'key', username: 'user', password: 'password'}
    const sync = () => syncHere(service, path, {pageSize: size})

    const first = await cpuOf(sync)
    const later = [await cpuOf(sync), await cpuOf(sync), await cpuOf(sync)]

    expect(Math.min(...later) / first).toBeLessThan(0.5)
  }))

test('a sync that changes every row takes time in line with the rows', async () => {
  const growth = await growthOf(async (count) => {
    await using vendor = await serve(count)
    await using other = await serve(count + 1)
    await inFolder(async (path) => {
      for (const {url} of [vendor, other]) {
        const service = {url, apiKey: 'key', username: 'user', password: 'password'}
        await syncHere(service, path, {pageSize: size, source: {baseUrl: 'x', stage: 'v2.1', keyFingerprint: 'key'}})
      }
    })
  }, 8_000)

  expect(growth).toBeLessThan(3)
})
