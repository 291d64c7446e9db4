import {describe, expect} from 'vitest'
import {pace} from '../../src/contract/index.js'
import {openLedger} from '../../src/quota/ledger-file.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {test} from '../support/binary.js'
import {startWorker} from '../support/governor-workers.js'

const usual = {rate: pace.requestsPerSecond, burst: pace.burst}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)

/** Requests that passed the gateway, and those that it refused, by status. */
function countsOf(sandbox: Sandbox): {served: number; refused: Record<string, number>} {
  const {gateway: refused = {}, ...operations} = sandbox.requests()
  return {
    served: Object.values(operations)
      .map(sum)
      .reduce((a, b) => a + b, 0),
    refused,
  }
}

function countOfLedger(folder: string, {url}: Sandbox): number {
  const who = {command: 'test', pid: 1, startedAt: 0}
  const {ledger} = openLedger({folder, baseUrl: url, keyFingerprint: 'worker'}, who)
  const {usedTrailing} = ledger.read()
  ledger.close()
  return usedTrailing
}

describe('processes that share a key', () => {
  test('are never refused, and are counted to the last request, whatever goes wrong', async ({start, home}) => {
    const {sandbox} = await start({
      faults: ['status(503)@organizations.list%5', 'reset@organizations.list%3', 'trunc-cl@organizations.list%3'],
    })
    const settings = {...loginOf(sandbox), ...usual, folder: home.state, requests: 18}
    const workers = Array.from({length: 8}, () => startWorker(settings))
    await Promise.all(workers.map(({ready}) => ready))
    for (const worker of workers) worker.begin()

    const reports = await Promise.all(workers.map(({ended}) => ended))

    const sent = reports.reduce((sum, report) => sum + (report?.sent ?? Number.NaN), 0)
    expect(reports.map((report) => report?.is)).toEqual(Array(8).fill('counted'))
    expect(sent).toBeGreaterThan(8 * 18 + 8)
    expect(countsOf(sandbox)).toEqual({served: sent, refused: {}})
    expect(countOfLedger(home.state, sandbox)).toBe(sent)
  })
})

/** What a process needs to know of it. */
function loginOf({url, apiKey, username, password}: Sandbox) {
  return {url, apiKey, username, password}
}
