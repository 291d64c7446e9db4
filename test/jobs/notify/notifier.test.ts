import {existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {createEnding} from '../../../src/cli/jobs/notice-needs.js'
import type {Clock} from '../../../src/core/clock.js'
import type {NotifyEvent} from '../../../src/jobs/notify/event.js'
import type {Answer, Sender} from '../../../src/jobs/notify/notifier.js'
import {createNotifier, type NotifierOptions} from '../../../src/jobs/notify/notifier.js'
import {findOutstanding, findRecord, openRecord} from '../../../src/jobs/notify/outbox.js'
import {createTail} from '../../../src/jobs/notify/tail.js'
import {makeFolder} from '../../support/folder.js'

const at = Date.UTC(2026, 0, 5, 2, 10)
const run = {name: 'nightly', command: 'reports transactions', at, rid: '0b9f5a2c-0000-4000-8000-000000000001'}
const key = 'key'

/** Waits of a second and more end only when they are cut short. */
const clock: Clock = {
  now: () => at + 90_000,
  monotonic: () => 0,
  sleep(milliseconds, signal) {
    if (milliseconds < 1_000) return Promise.resolve()
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  },
}

function newFolder(): string {
  const folder = makeFolder()
  return join(folder, 'notifications')
}

type Told = {events: string[]; bodies: NotifyEvent[]; sender: Sender}

/** A target that gives these answers, then takes everything. */
function target(answers: Answer[] = [], kind: Sender['kind'] = 'url'): Told {
  const told: Told = {
    events: [],
    bodies: [],
    sender: {
      kind,
      shown: `the ${kind}`,
      async send(event) {
        told.events.push(event.event)
        told.bodies.push(event)
        return answers.shift() ?? {isDelivered: true, text: 'OK'}
      },
    },
  }
  return told
}

const down: Answer = {isDelivered: false, text: 'it answered 500'}

function notify(senders: readonly Sender[], more: Partial<NotifierOptions> = {}) {
  const warnings: string[] = []
  const warn = (text: string) => void warnings.push(text)
  const options = {run, senders, record: undefined, clock, pauses: [1, 2], startAfter: 0, warn}
  return {warnings, notifier: createNotifier({...options, redact: (text) => text.replaceAll('s3cret', '*'), ...more})}
}

describe('a run', () => {
  test('reports start and success in this order, with the messages', async () => {
    const {events, bodies, sender} = target()
    const {notifier, warnings} = notify([sender], {startAfter: 5_000})

    notifier.start()
    notifier.add('one s3cret\n')
    await notifier.end({exitCode: 0})

    expect(events).toEqual(['start', 'success'])
    expect(bodies[1]).toEqual({
      ...{event: 'success', name: 'nightly', command: 'reports transactions', exit: {code: 0, name: 'ok'}},
      ...{startedAt: '2026-01-05T02:10:00.000Z', endedAt: '2026-01-05T02:11:30.000Z', seconds: 90, messages: 'one *'},
    })
    expect(warnings).toEqual([])
  })

  test.each([
    [{exitCode: 75}, {exit: {code: 75, name: 'unavailable'}}],
    [
      {exitCode: 137, signal: 'SIGKILL'},
      {exit: {code: 137, name: 'failure'}, signal: 'SIGKILL'},
    ],
  ])('that ends as %j reports that failure', async (how, expected) => {
    const {bodies, sender} = target()
    const {notifier} = notify([sender])

    await notifier.end(how)

    expect(bodies).toMatchObject([{event: 'failure', ...expected}])
  })

  test('that found the lock taken reports nothing, not even its start', async () => {
    const {events, sender} = target()
    const folder = newFolder()
    const {notifier} = notify([sender], {startAfter: 5_000, record: openRecord(folder, key, run)})

    notifier.start()
    await notifier.end({exitCode: 13})

    expect(events).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test('is tried three times, and warns once', async () => {
    const url = target([down, down, down, down, down, down])
    const command = target([], 'command')
    const {notifier, warnings} = notify([url.sender, command.sender])

    notifier.start()
    await notifier.end({exitCode: 1})

    expect(command.events).toEqual(['start', 'failure'])
    expect(url.events.filter((event) => event === 'failure')).toHaveLength(3)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/^the url was not notified of the .*failure \(it answered 500\)/)
  })

  test('is given up on request: a failure is left to the next run', async () => {
    const folder = newFolder()
    const {sender} = target()
    const send: Sender['send'] = async (_event, _rid, stop) => ({isDelivered: stop?.aborted !== true, text: 'stopped'})
    const record = openRecord(folder, key, run)
    const {notifier, warnings} = notify([{...sender, send}], {record})

    const ended = notifier.end({exitCode: 1})
    notifier.giveUp()
    await ended
    endProcesses(record?.path ?? '')

    expect(warnings).toEqual([
      'the url was not notified of the failure (stopped). The next run reports the failure if it can.',
    ])
    expect(findOutstanding(folder, key, clock.now())).toHaveLength(1)
  })

  test('tries a final refusal once', async () => {
    const {events, sender} = target([{isDelivered: false, isFinal: true, text: 'it answered 404'}])
    const {notifier, warnings} = notify([sender])

    await notifier.end({exitCode: 1})

    expect(events).toEqual(['failure'])
    expect(warnings).toEqual(['the url was not notified of the failure (it answered 404).'])
  })
})

/** The record of a run whose processes are gone. */
function leaveRecord(folder: string, change: object = {}): string {
  const path = openRecord(folder, key, run)?.path ?? ''
  endProcesses(path, change)
  utimesSync(path, (at + 30_000) / 1_000, (at + 30_000) / 1_000)
  return path
}

function endProcesses(path: string, change: object = {}): void {
  const kept = JSON.parse(readFileSync(path, 'utf8')) as {processes: object[]}
  const processes = kept.processes.map((process) => ({...process, since: 'earlier'}))
  writeFileSync(path, JSON.stringify({...kept, processes, ...change}), {mode: 0o600})
}

describe('the next run', () => {
  test('reports the end that nobody saw, once, before its own start', async () => {
    const {events, bodies, sender} = target()
    const folder = newFolder()
    leaveRecord(folder)
    const options = {findOutstanding: () => findOutstanding(folder, key, clock.now())}

    for (let nights = 0; nights < 2; nights++) {
      const {notifier} = notify([sender], options)
      notifier.start()
      await notifier.end({exitCode: 0})
    }

    expect(events).toEqual(['failure', 'start', 'success', 'start', 'success'])
    expect(bodies[0]).toMatchObject({startedAt: '2026-01-05T02:10:00.000Z', endedAt: '2026-01-05T02:10:30.000Z'})
    expect(readdirSync(folder)).toEqual([])
  })

  test('reports the failure that a monitor did not take, to that monitor only', async () => {
    const folder = newFolder()
    const url = target([down, down, down])
    const command = target([], 'command')
    const record = openRecord(folder, key, run)
    const first = notify([url.sender, command.sender], {record})
    await first.notifier.end({exitCode: 12})
    endProcesses(record?.path ?? '')

    const next = notify([url.sender, command.sender], {
      findOutstanding: () => findOutstanding(folder, key, clock.now()),
      startAfter: 5_000,
    })
    next.notifier.start()
    await next.notifier.end({exitCode: 13})

    expect(url.events).toEqual(['failure', 'failure', 'failure', 'failure'])
    expect(command.events).toEqual(['failure'])
    expect(url.bodies[3]).toEqual(url.bodies[0])
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps what the monitor still does not take', async () => {
    const folder = newFolder()
    const path = leaveRecord(folder)
    const {sender} = target([down])
    const {notifier} = notify([sender], {findOutstanding: () => findOutstanding(folder, key, clock.now())})

    notifier.start()
    await notifier.end({exitCode: 13})

    expect(existsSync(path)).toBe(true)
    expect(findOutstanding(folder, key, clock.now())).toHaveLength(1)
  })

  test('leaves alone a command that notes itself, as what watched it was killed before it could', () => {
    const folder = newFolder()
    const record = leaveRecord(folder)

    createEnding({run, targets: {}, record}, createTail(), {})

    expect(findOutstanding(folder, key, clock.now())).toEqual([])
  })

  test('leaves alone what still runs, what another process took, and what belongs to others', () => {
    const folder = newFolder()
    openRecord(folder, key, run)
    openRecord(folder, 'other', run)

    expect(findOutstanding(folder, key, clock.now())).toEqual([])

    leaveRecord(folder)
    const [found] = findOutstanding(folder, key, clock.now())
    const [same] = findOutstanding(folder, key, clock.now())

    expect([found?.record.mark(), same?.record.mark()]).toEqual([true, false])
  })

  test('does not send again what was being sent when its process was killed', () => {
    const folder = newFolder()
    findRecord(leaveRecord(folder))?.mark()

    expect(findOutstanding(folder, key, clock.now())).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test('waits some minutes for a run of another container, whose processes it cannot see', () => {
    const folder = newFolder()
    leaveRecord(folder, {processes: [{pid: 1, since: '1', place: 'elsewhere'}]})

    expect(findOutstanding(folder, key, at + 60_000)).toEqual([])
    expect(findOutstanding(folder, key, at + 600_000)).toHaveLength(1)
  })

  const odd = ['{"run":{"at":"x"},"processes":[]}', '{"run":{"at":1},"processes":[1]}']
  const noEvent = '{"run":{"at":1},"processes":[],"event":5}'
  test.each(['{', 'null', '{"run":1}', '[]', ...odd, noEvent])('is not disturbed by a damaged record: %s', (text) => {
    const folder = newFolder()
    writeFileSync(leaveRecord(folder), text, {mode: 0o600})

    expect(findOutstanding(folder, key, clock.now())).toEqual([])
  })
})

test('a folder that cannot be made is no reason to stop, or to keep silent', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, '..', 'file'), {recursive: true})
  writeFileSync(folder, 'no folder')
  const {events, sender} = target()
  const record = openRecord(folder, key, run)
  const {notifier, warnings} = notify([sender], {record, findOutstanding: () => findOutstanding(folder, key, 0)})

  notifier.start()
  await notifier.end({exitCode: 1})

  expect(record).toBeUndefined()
  expect(events).toEqual(['start', 'failure'])
  expect(warnings).toEqual([])
})
