import {hash} from 'node:crypto'
import {join} from 'node:path'
import {Disk} from './disk.js'
import type {Life} from './life.js'
import {toUuid} from './modules.js'
import type {Scheduler} from './scheduler.js'
import type {Stage} from './world.js'

/** A computer: a disk, perhaps that of another machine, clocks, and the lives that run on it. */
export class Machine {
  readonly scheduler: Scheduler
  readonly disk: Disk
  readonly host: string
  boot = ''
  bootedAt = 0
  skew = 0
  nextPid: number
  /** Ends programs of the system that run, by their pid. */
  readonly tools = new Map<number, (signal: string) => void>()
  readonly #now: () => number
  readonly #lives = new Map<number, Life>()
  #boots = 0

  constructor(stage: Stage, host: string, disk: string | Disk) {
    this.scheduler = stage.scheduler
    this.#now = stage.now
    this.host = host
    this.disk = typeof disk === 'string' ? new Disk(disk) : disk
    this.nextPid = typeof disk === 'string' ? 1_000 : 1_500
    this.#start()
  }

  begin(life: Life): number {
    this.#lives.set(this.nextPid, life)
    return this.nextPid++
  }

  end = (life: Life) => this.#lives.delete(life.pid)
  isAlive = (pid: number) => pid === 1 || this.#lives.has(pid)
  path = (name: string) => join(this.disk.root, name)

  wallClock(): number {
    this.scheduler.now += lookMilliseconds
    return this.#now() + this.skew
  }

  monotonic(): number {
    this.scheduler.now += lookMilliseconds
    return this.scheduler.now - this.bootedAt + uptimeMilliseconds
  }

  /** All lives are killed, and the machine starts anew; `lose` is what the disk does without power. */
  restart(lose: () => void): void {
    for (const life of [...this.#lives.values()]) life.die('the power was cut')
    for (const end of [...this.tools.values()]) end('SIGKILL')
    lose()
    this.scheduler.now += startMilliseconds
    this.#start()
  }

  #start(): void {
    this.boot = `${toUuid(hash('md5', `${this.host} ${this.#boots++}`))}\n`
    this.bootedAt = this.scheduler.now
  }
}

/** Time passes whenever somebody looks at a clock, so that no loop waits for it in vain. */
const lookMilliseconds = 0.001
const uptimeMilliseconds = 60_000
/** No machine starts faster, so that changes before and after it are told apart by the clock of the service. */
const startMilliseconds = 6_000
