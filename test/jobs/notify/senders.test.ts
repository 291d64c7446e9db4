import {readFileSync, writeFileSync} from 'node:fs'
import type {ServerResponse} from 'node:http'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {type Clock, systemClock} from '../../../src/core/clock.js'
import type {NotifyEvent} from '../../../src/jobs/notify/event.js'
import {createCommandSender} from '../../../src/jobs/notify/notice.js'
import {createUrlSender, isOpenToOthers, showUrl, toNotifyUrl} from '../../../src/jobs/notify/send-url.js'
import {createTail} from '../../../src/jobs/notify/tail.js'
import {makeFolder} from '../../support/folder.js'
import {startMonitor} from '../../support/monitor.js'

const failure: NotifyEvent = {
  ...{event: 'failure', name: 'nightly', command: 'reports transactions', exit: {code: 75, name: 'unavailable'}},
  ...{startedAt: '2026-01-05T02:10:00.000Z', endedAt: '2026-01-05T02:11:30.000Z', seconds: 90, messages: 'error: down'},
}

type Answering = (response: ServerResponse, place: number) => void

/** Only of a server that never answers is the limit reached. */
async function post(path: string, event: NotifyEvent, answer?: Answering, limitMilliseconds = 10_000) {
  const monitor = await startMonitor(answer && ((_, response, place) => answer(response, place)))
  onTestFinished(monitor.close)
  const sender = createUrlSender(new URL(`${monitor.url}${path}`), {environment: {}, limitMilliseconds})
  return {...monitor, answer: await sender.send(event, 'r-1')}
}

describe('a url', () => {
  test.each([
    ['/id', {event: 'start'}, '/id/start'],
    ['/id/', {event: 'start'}, '/id/start'],
    ['/id', {event: 'success'}, '/id'],
    ['/id?b=%20x', {event: 'failure'}, '/id/75'],
    ['/', {event: 'failure'}, '/75'],
    ['/id#part', {event: 'failure', exit: undefined}, '/id/fail'],
  ] as const)('%s of %j is %s', async (path, change, expected) => {
    const {pings, answer} = await post(path, {...failure, ...change} as NotifyEvent)

    expect(pings.map((ping) => ping.path)).toEqual([expected])
    expect(pings[0]?.query.get('rid')).toBe('r-1')
    expect(pings[0]?.query.get('b')).toBe(path.includes('b=') ? ' x' : null)
    expect(answer).toEqual({isDelivered: true, isFinal: true, text: 'it answered 200'})
  })

  test('has how it went, and the messages, as its body', async () => {
    const {pings} = await post('/id', failure)

    expect(pings[0]?.body).toBe(
      'nightly failed: exit 75 (unavailable); started at 2026-01-05T02:10:00.000Z, ended at 2026-01-05T02:11:30.000Z after 90 s\n\nerror: down\n',
    )
  })

  const answers: [string, Answering, boolean, string][] = [
    ['500', (response) => void response.writeHead(500).end('no'), false, 'it answered 500'],
    ['404', (response) => void response.writeHead(404).end(), true, 'it answered 404'],
    ['429', (response) => void response.writeHead(429).end(), false, 'it answered 429'],
    ['an end', (response) => void response.destroy(), false, 'the connection broke before an answer came (ECONNRESET)'],
  ]

  test.each(answers)('that answers %s was not notified', async (_, answerWith, isFinal, text) => {
    const {answer, pings} = await post('/id', failure, answerWith)

    expect({...answer, isFinal: answer.isFinal ?? false}).toEqual({isDelivered: false, isFinal, text})
    expect(pings).toHaveLength(1)
  })

  test('that never answers was not notified, and one that never ends its answer was', async () => {
    const [silent, endless] = await Promise.all([
      post('/id', failure, () => undefined, 1_500),
      post('/id', failure, (response) => void response.writeHead(200).write('O'), 1_500),
    ])

    expect(silent.answer).toEqual({isDelivered: false, text: 'no complete answer in time (ETIMEDOUT)'})
    expect(endless.answer.isDelivered).toBe(true)
  })

  test.each(['localhost', '127.0.0.1'])('that redirects to another port, of %s, is not followed', async (host) => {
    const other = await startMonitor()
    onTestFinished(other.close)
    const to = other.url.replace('127.0.0.1', host)

    const {answer} = await post('/id', failure, (response) => void response.writeHead(307, {location: to}).end())

    expect(answer).toEqual({
      isDelivered: false,
      isFinal: true,
      text: `it redirects to ${to}, which is not followed`,
    })
    expect(other.pings).toEqual([])
  })

  test('that redirects within its origin is followed, though not for ever', async () => {
    const once = await post(
      '/id',
      failure,
      (response, place) =>
        void (place === 0 ? response.writeHead(301, {location: '/new/75?rid=r-1'}).end() : response.end()),
    )
    const always = await post('/id', failure, (response) => void response.writeHead(301, {location: '/'}).end())

    expect(once.paths()).toEqual(['/id/75', '/new/75'])
    expect(once.answer.isDelivered).toBe(true)
    expect(always.answer.text).toBe('it redirects without end (301)')
    expect(always.pings.length).toBeLessThan(5)
  })

  test('of an unknown host was not notified', async () => {
    const sender = createUrlSender(new URL('http://127.0.0.1:1/secret'), {environment: {}})

    expect(await sender.send(failure, 'r')).toMatchObject({
      isDelivered: false,
      text: 'no connection (ECONNREFUSED)',
    })
    expect(sender.shown).toBe('http://127.0.0.1:1/…')
  })

  test.each(['hc-ping.com/id', 'ftp://host/id', '', '/id'])('is not %j', (text) => {
    expect(toNotifyUrl(text)).toBeUndefined()
  })

  test('shows its host only, and tells plain http', () => {
    expect(showUrl(new URL('https://me:pw@hc-ping.com/id?x=1'))).toBe('https://hc-ping.com/…')
    expect(isOpenToOthers(new URL('http://hc-ping.com/id'))).toBe(true)
    expect(isOpenToOthers(new URL('http://127.0.0.1/id'))).toBe(false)
    expect(isOpenToOthers(new URL('https://hc-ping.com/id'))).toBe(false)
  })
})

type Words = [string, ...string[]]

/** A program of Node, as the words of a command. */
function node(code: string): Words {
  return [process.execPath, '-e', code]
}

/** Ends its waits when `end` is called. */
function createHandClock(): {clock: Clock; end: () => void} {
  const {promise, resolve} = Promise.withResolvers<void>()
  return {
    clock: {
      ...systemClock,
      sleep: (milliseconds) => (milliseconds > 1_000 ? promise : systemClock.sleep(milliseconds)),
    },
    end: resolve,
  }
}

describe('a command', () => {
  const run = (words: Words, clock: Clock = systemClock) =>
    createCommandSender(words, {environment: {PATH: process.env['PATH']}, clock}).send(failure, 'r')

  test('has the event on its standard input, and no shell', async () => {
    const folder = makeFolder()
    const file = join(folder, 'event $HOME.json')

    const answer = await run(['tee', file])

    expect(answer.isDelivered).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(failure)
  })

  const endings: [string, Words, object][] = [
    [
      'is not there',
      ['/no/such/command'],
      {
        ...{isDelivered: false, isFinal: true},
        text: 'it was not found; give its folder, too, because schedulers look in few',
      },
    ],
    [
      'fails',
      node('console.error("first\\nno route"); process.exitCode = 3'),
      {isDelivered: false, isFinal: false, text: 'it ended with exit code 3: no route'},
    ],
    ['reads nothing', ['true'], {isDelivered: true, isFinal: false, text: 'it ended with exit code 0'}],
    [
      'is killed',
      node('process.kill(process.pid, "SIGKILL")'),
      {isDelivered: false, isFinal: false, text: 'it was killed by SIGKILL'},
    ],
    [
      'has an odd argument',
      ['true', 'a\0b'],
      {isDelivered: false, isFinal: true, text: 'it cannot be started (ERR_INVALID_ARG_VALUE)'},
    ],
  ]

  test.each(endings)('that %s', async (_, words, expected) => {
    expect(await run(words)).toEqual(expected)
  })

  test('that prints without end is ended in time, with all that it started', async () => {
    const {clock, end} = createHandClock()
    const folder = makeFolder()
    const script = join(folder, 'fork.sh')
    writeFileSync(script, `sleep 60 & echo $! > ${folder}/pid; yes`)
    const answered = run(['sh', script], clock)
    const pid = await vi.waitUntil(() => Number(read(join(folder, 'pid'))) || undefined, {interval: 5})

    end()
    const answer = await answered

    expect(answer).toMatchObject({
      isDelivered: false,
      text: expect.stringContaining('it did not end within 10 seconds'),
    })
    await vi.waitUntil(() => !isRunning(pid), {interval: 5})
  })
})

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A process that was killed and that nobody waits for counts as ended. */
function isRunning(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`)
  return stat !== '' && !stat.includes(') Z ')
}

describe('the last messages', () => {
  test('are kept from the start of a line', () => {
    const tail = createTail(12)
    for (const line of ['first line\n', 'second\n', 'third\n']) tail.add(line)

    expect(tail.text()).toBe('third')
  })

  test('are cut between characters', () => {
    const tail = createTail(6)
    tail.add('ä€ä€ä€')

    expect(tail.text()).toBe('ä€')
  })
})
