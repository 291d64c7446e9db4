import {expect, test} from 'vitest'
import {
  findEnvironment,
  findLostVariables,
  findProgram,
  findSystemZone,
  sayClockChanges,
} from '../../../src/jobs/setup/own-start.js'

const now = Date.UTC(2026, 10, 22)
const at = {hour: 2, minute: 10}

test('a time that some day does not have, or has twice, is named with one that every day has once', () => {
  expect(sayClockChanges({at, zone: 'Europe/Berlin', now})).toEqual([
    'notice: 02:10 does not exist on 2027-03-28, when clocks go from 02:00 to 03:00, and happens twice on 2027-10-31, when clocks go from 03:00 to 02:00 (Europe/Berlin). A time that every day has once: --at 03:10',
  ])
  expect(sayClockChanges({at, zone: 'UTC', now})).toEqual([])
})

test('the zone of the system has the name that it has for Node', () => {
  const timeZone = findSystemZone()

  expect(new Intl.DateTimeFormat('en', {timeZone}).resolvedOptions().timeZone).toBe(timeZone ?? expect.any(String))
})

test('a scheduler gets the folders of this shell and no secret', () => {
  const environment = {
    PATH: '/repo/node_modules/.bin:relative:/usr/bin:/bin:/usr/bin',
    HTTPS_PROXY: 'http://user:password@proxy',
    VENDORCTL_API_KEY: 'secret',
    VENDORCTL_AT: '02:10',
    XDG_STATE_HOME: '/state',
    XDG_CACHE_HOME: '',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  }

  expect(findEnvironment(environment)).toMatchObject({
    PATH: '/usr/bin:/bin',
    XDG_STATE_HOME: '/state',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  })
  expect(Object.keys(findEnvironment(environment))).not.toContain('XDG_CACHE_HOME')
  expect(findLostVariables(environment)).toEqual(['HTTPS_PROXY', 'VENDORCTL_API_KEY'])
  expect(findProgram('/repo', environment)).toEqual([process.execPath, '/repo/bin/run.js'])
})
