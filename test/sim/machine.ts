import {hash} from 'node:crypto'
import {join} from 'node:path'
import {createDisk, type Disk} from './disk.js'
import {toUuid} from './modules.js'
import type {Stage} from './world.js'

/** Time passes whenever somebody looks at a clock, so that no loop waits for it in vain. */
const lookMilliseconds = 0.001
const uptimeMilliseconds = 60_000
/** No machine starts faster, so that changes before and after it are told apart by the clock of the service. */
const startMilliseconds = 6_000

export type Machine = ReturnType<typeof createMachine>

/** A computer: a disk, perhaps that of another machine, clocks, and the lives that run on it. */
export function createMachine({scheduler, now}: Stage, host: string, given: string | Disk) {
  const [disk, nextPid] = typeof given === 'string' ? [createDisk(given), 1_000] : [given, 1_500]
  let boots = 0
  const nextBoot = () => ({boot: `${toUuid(hash('md5', `${host} ${boots++}`))}\n`, bootedAt: scheduler.now})
  const machine = {
    ...{scheduler, host, disk, nextPid, skew: 0, ...nextBoot()},
    /** What runs on it, by pid: lives, and how programs of the system are ended. */
    lives: new Map<number, {die(why: string): void}>(),
    tools: new Map<number, (signal: string) => void>(),
    isAlive: (pid: number) => pid === 1 || machine.lives.has(pid),
    path: (name: string) => join(disk.root, name),
    wallClock(): number {
      scheduler.now += lookMilliseconds
      return now() + machine.skew
    },
    monotonic(): number {
      scheduler.now += lookMilliseconds
      return scheduler.now - machine.bootedAt + uptimeMilliseconds
    },
    /** All lives are killed, and the machine starts anew; `lose` is what the disk does without power. */
    restart(lose: () => void): void {
      for (const life of [...machine.lives.values()]) life.die('the power was cut')
      for (const end of [...machine.tools.values()]) end('SIGKILL')
      lose()
      scheduler.now += startMilliseconds
      Object.assign(machine, nextBoot())
    },
  }
  return machine
}
