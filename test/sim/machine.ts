import {hash} from 'node:crypto'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {Disk, visibleRoot} from './disk.js'
import type {Life} from './life.js'
import {toUuid} from './modules.js'
import type {Scheduler} from './scheduler.js'

/** Its folder is on a RAM disk, `begins` the time of the world's begin, and `disk` that of another machine. */
type MachineOptions = {scheduler: Scheduler; folder: string; host: string; begins: number; disk?: Disk}

/** A computer: a disk, clocks, and the lives that run on it. */
export class Machine {
  readonly scheduler: Scheduler
  readonly disk: Disk
  readonly host: string
  readonly home = visibleRoot
  boot = ''
  bootedAt = 0
  /** By how much the wall clock is wrong. */
  skew = 0
  nextPid: number
  /** Ends programs of the system that run, by their pid. */
  readonly tools = new Map<number, (signal: string) => void>()
  readonly #begins: number
  readonly #lives = new Map<number, Life>()
  #boots = 0

  constructor({scheduler, folder, host, begins, disk}: MachineOptions) {
    this.scheduler = scheduler
    this.host = host
    this.#begins = begins
    mkdirSync(folder, {recursive: true})
    this.disk = disk ?? new Disk(folder)
    this.nextPid = disk ? 1_500 : 1_000
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
    return this.#begins + this.scheduler.now + this.skew
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
