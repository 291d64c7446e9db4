import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, requestsOf, type Service, test} from '../support/binary.js'

const lines = ['machineId,code,message', ...[5001, 5002, 5003].map((id) => `${id},CJ,Unheard`)]

function create({path}: Home): string[] {
  const file = join(path, 'alerts.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return ['alerts', 'create', '-f', file, '--set-size', '1', '--settle', '0.3']
}

const through = (redirection: string): {through: [string, ...string[]]} => ({
  through: ['/bin/bash', '--norc', '-c', `set -o pipefail; "$@" ${redirection}`, 'bash'],
})

const counted = ({sandbox}: Service) => sandbox.store.read('alert').filter(({message}) => message === 'Unheard').length

describe.concurrent('a write to which nobody listens', () => {
  test('goes on to its end when the reader of standard error is gone before it sends', async ({start, home}) => {
    const service = await start({limits: false, faults: ['reset-after-commit@alerts.create#1']})
    await service.run(create(home))
    // from here on the first thing that is said is said before anything is sent: that rows are in doubt
    const {child, ended} = service.begin(create(home))
    child.stderr?.destroy()
    const ran = await ended

    expect(ran).toMatchObject({exitCode: 0, signal: null})
    expect(counted(service)).toBe(3)
  })

  test.for([
    ['standard error is full', '2> /dev/full', 12],
    ['standard output is full', '--json > /dev/full', 12],
    ['nobody reads', '2>&1 > /dev/null | true', 0],
  ] as const)('is known to be untold: %s; given again it sends nothing', async ([, how, code], {start, home}) => {
    const service = await start({limits: false})

    const first = await service.run(create(home), through(how))
    const again = await service.run(create(home))

    expect(first.exitCode).toBe(code)
    expect(again.exitCode).toBe(0)
    expect(again.stderr).toContain('applied 3')
    expect(counted(service)).toBe(3)
    expect(requestsOf(service.sandbox)['alerts.create']).toBe(3)
  })

  test('names where every row stands when the output is full, and not to run again', async ({start, home}) => {
    const {run} = await start({limits: false})

    const [output, file] = [
      await run([...create(home), '--json'], through('> /dev/full')),
      await run([...create(home), '--fresh', '--results', '/dev/full']),
    ]

    for (const {exitCode, stderr} of [output, file]) {
      expect(exitCode).toBe(12)
      expect(stderr).toMatch(/→ Every row with its fate is kept: vendorctl runs results \d{8}-\d{6}-[0-9a-f]+/)
      expect(stderr).not.toContain('run again')
    }
  })
})
