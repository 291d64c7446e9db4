import {spawnSync} from 'node:child_process'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/core/clock.js'
import {type DeliverOptions, deliverFile, toDeliveryCommand} from '../../../src/jobs/deliver/deliver-file.js'

const limit = 123_000
const pauses = [2_000, 10_000]
const never = 60_000

/** A clock on which pauses take no time, and nothing else passes. */
function start(more: Partial<DeliverOptions> = {}) {
  const lines: string[] = []
  const waited: number[] = []
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    if (!pauses.includes(milliseconds)) return systemClock.sleep(never, signal)
    waited.push(milliseconds)
  }
  const options: DeliverOptions = {
    ...{environment: process.env, clock: {...systemClock, sleep}, limitMilliseconds: limit},
    ...{signal: new AbortController().signal, onLine: (line) => void lines.push(line)},
    ...more,
  }
  const run = (script: string, ...args: string[]) => deliverFile(['sh', '-c', script, 'sh', ...args], options)
  return {run, lines, waited, options}
}

describe.skipIf(process.platform === 'win32')('deliverFile', () => {
  test('hands over arguments as they are, shows what the command prints, and gives it no input', async () => {
    const {run, lines} = start()

    const end = await run('cat; printf "%s|" "$@"; echo; echo late >&2; printf unended', '$HOME', '*', 'a b', '')

    expect(end).toEqual({isDelivered: true, tries: 1})
    expect(lines.toSorted()).toEqual(['$HOME|*|a b||', 'late', 'unended'])
  })

  test('tries three times with pauses, and keeps the last lines of the last try', async () => {
    const {run, waited} = start()

    const end = await run('for n in 1 2 3 4 5 6; do echo "line $n"; done; exit 4')

    const last = ['line 2', 'line 3', 'line 4', 'line 5', 'line 6']
    expect(end).toEqual({isDelivered: false, tries: 3, why: 'sh ended with exit code 4', last})
    expect(waited).toEqual(pauses)
  })

  test('tries once where there are no pauses, and reports a signal', async () => {
    const {run, waited} = start({pausesMilliseconds: []})

    const end = await run('kill -9 $$')

    expect(end).toMatchObject({tries: 1, why: 'sh was killed by SIGKILL'})
    expect(waited).toEqual([])
  })

  test('does not try a file again that has changed in the pause', async () => {
    const answers = [true, false]
    const {run, waited} = start({isUnchanged: async () => answers.shift() ?? true})

    const end = await run('exit 4')

    expect(end).toMatchObject({isDelivered: false, tries: 2})
    expect(waited).toEqual(pauses)
  })

  test('does not try a program again that is not there', async () => {
    const {options} = start()

    const end = await deliverFile(['/nowhere/rclone'], options)

    expect(end).toMatchObject({tries: 1, why: expect.stringContaining('/nowhere/rclone was not found')})
  })

  test('ends all that a command started when its time is over, and does not try it again', async () => {
    const {options, lines} = start()
    const {sleep} = options.clock
    const untilPrinted = async () => {
      while (lines.length === 0) await systemClock.sleep(1)
    }
    const clock = {
      ...options.clock,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        milliseconds === limit ? untilPrinted() : sleep(milliseconds, signal),
    }

    const end = await deliverFile(['sh', '-c', 'sleep 300 & echo $!; wait'], {...options, clock})

    expect(end).toMatchObject({isHung: true, tries: 1, why: 'sh did not end within 3 minutes and was stopped'})
    const {stdout: state} = spawnSync('ps', ['-o', 'stat=', '-p', `${lines[0]}`], {encoding: 'utf8'})
    expect(state).toMatch(/^(Z\S*)?\s*$/) // gone, or not yet buried by init
  })

  test('ends when it is stopped, also between two tries', async () => {
    const [running, pausing] = [new AbortController(), new AbortController()]
    const {options} = start()
    const sleep = async (milliseconds: number, signal?: AbortSignal) => {
      if (milliseconds !== pauses[0]) return options.clock.sleep(milliseconds, signal)
      pausing.abort()
      throw new Error('stopped')
    }

    const ends = [
      await start({signal: running.signal, onLine: () => running.abort()}).run('echo begun; sleep 300'),
      await start({signal: pausing.signal, clock: {...systemClock, sleep}}).run('exit 1'),
    ]

    expect(ends).toMatchObject([
      {isStopped: true, tries: 1},
      {isStopped: true, tries: 1},
    ])
  })
})

describe('toDeliveryCommand', () => {
  test('fills in paths after it has split the words', () => {
    const {fill, usesManifest} = toDeliveryCommand(`cp {file} {manifest} 'to {name}:{name}'`)

    expect(fill({file: `/a b/x'y.csv`, manifest: '/m'})).toEqual(['cp', `/a b/x'y.csv`, '/m', `to x'y.csv:x'y.csv`])
    expect(usesManifest).toBe(true)
    expect(toDeliveryCommand('cp {file} /x').usesManifest).toBe(false)
  })

  test('refuses a placeholder that it does not know', () => {
    expect(() => toDeliveryCommand('cp {fil} /x')).toThrow('no value for {fil}')
  })
})
