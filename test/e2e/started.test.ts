import {join} from 'node:path'
import {afterAll, describe, expect} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {commandNames, environmentOf, type Home, test} from '../support/binary.js'
import {type Ran, runBinary} from '../support/run-binary.js'

/** Serves until it is stopped: tests of the sandbox start it. */
const endless = 'sandbox start'

/** What commands are asked that do something when they are asked for nothing more; the others name what is missing. */
const more: Record<string, string> = {
  explain: '13',
  api: 'get /machines',
  'contract show': 'sites.create',
  sql: '--list',
}

/** One for all: a command that is asked for nothing more changes nothing. */
const sandbox = await startSandbox({batches: 0, machines: 3})
afterAll(() => sandbox.close())

describe.concurrent('every command is started once as a process, and prints and ends there as in process', () => {
  test.for(commandNames().filter((name) => name !== endless))('%s', async (name, {alone, home}) => {
    const words = [...name.split(' '), ...(more[name]?.split(' ') ?? [])]
    const own = (place: string) => ({
      environment: {
        ...home.environment,
        ...environmentOf(sandbox),
        ...{XDG_CONFIG_HOME: join(home.path, place, 'config'), XDG_STATE_HOME: join(home.path, place, 'state')},
      },
    })

    const started = await runBinary(words, own('started'))
    const called = await alone(words, own('called'))

    expect(toPlain(called, home)).toEqual(toPlain(started, home))
  })
})

/** Without what differs from run to run: folders, numbers of processes, moments and tokens. */
function toPlain(ran: Ran, {path}: Home): Ran {
  const clean = (text: string) =>
    text
      .replaceAll(new RegExp(`${path}/(started|called)`, 'g'), 'HOME')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?/g, 'TIME')
      .replaceAll(/\d+(\.\d+)? m?s\b/g, 'DURATION')
      .replaceAll(/ +/g, ' ')
  return {...ran, stdout: clean(ran.stdout), stderr: clean(ran.stderr)}
}
