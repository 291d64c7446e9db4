import type {EventEmitter} from 'node:events'
import type {Random} from '../../src/sandbox/seed/random.js'
import {Body} from './body.js'
import type {Machine} from './machine.js'
import type {Planned} from './scheduler.js'
import type {World} from './world.js'

/** How a life ended; one that was killed has no exit code. */
export type Ending = {exitCode: number | undefined; stdout: string; stderr: string}
/** Called before each effect; returns what happens instead of it. */
export type Fault = (effect: {number: number; name: string; path: string}) => 'die' | NodeJS.ErrnoException | undefined

export type LifeOptions = {
  world: World
  /** Tells this life from others, whatever came before it. */
  name: string
  args: readonly string[]
  environment: Record<string, string>
  machine: Machine
  fault: Fault
  print?: ((descriptor: 1 | 2, text: string) => void) | undefined
}

/** Thrown into the code of a life that has died; nothing that it does from then on has an effect. */
export class Death extends Error {}

let running: Life | undefined

/** Hands what nobody caught to the life that ran, as Node would. Returns whether it was only the end of one. */
export function reportUncaught(error: unknown): boolean {
  if (error instanceof Death) return true
  running?.trace(`uncaught: ${error instanceof Error ? error.stack : String(error)}`)
  return running?.tell('unhandledRejection', error) ?? false
}

/** One run of the program, from its arguments to its exit code or its death. */
export class Life {
  readonly pid: number
  readonly machine: Machine
  readonly options: LifeOptions
  readonly world: World
  readonly random: Random
  readonly toolRandom: Random
  readonly #body: Body
  isOver = false
  /** When it was told to end; whether it was refused for its token last. */
  signalledAt = Number.POSITIVE_INFINITY
  isDenied = false
  /** Nothing of it goes on before, as after SIGSTOP. */
  #stoppedUntil = 0
  effects = 0
  readonly #requests: Record<string, number> = {}
  readonly #printed: Record<1 | 2, string> = {1: '', 2: ''}
  readonly #ending = Promise.withResolvers<Ending>()
  readonly ended = this.#ending.promise

  constructor(options: LifeOptions) {
    const {world, name, machine} = options
    this.options = options
    this.world = world
    this.random = world.choices.of(`life ${name}`)
    this.toolRandom = world.choices.of(`tools ${name}`)
    this.machine = machine
    this.pid = machine.begin(this)
    this.#body = world.workshop.bodies.pop() ?? new Body(world.workshop.program)
    this.#body.enter(this)
    this.plan(0, () => void this.#run())
  }

  get process(): EventEmitter {
    return this.#body.process
  }

  /** Runs work later in this life, once it is not stopped, unless it has ended. */
  plan(milliseconds: number, work: () => void): Planned {
    const {scheduler} = this.machine
    const doIt = () => {
      if (this.isOver) return
      const left = this.#stoppedUntil - scheduler.now
      if (left > 0) {
        planned = scheduler.after(left, doIt)
        return
      }
      running = this
      try {
        work()
      } catch (error) {
        if (!(error instanceof Death)) this.tell('uncaughtException', error)
      }
    }
    let planned = scheduler.after(milliseconds, doIt)
    return {cancel: () => planned.cancel()}
  }

  /** The same for the same request, whatever went wrong with others. */
  nameRequest = (what: string) => `${this.options.name} ${what} ${count(this.#requests, what)}`
  trace = (text: string) => this.world.trace(`${this.pid} ${text}`)

  /** What nobody caught; who listens may end the life. Returns whether anybody does. */
  tell(event: string, error: unknown): boolean {
    try {
      return this.process.emit(event, error)
    } catch (thrown) {
      if (thrown instanceof Death) return true
      throw thrown
    }
  }

  die(why: string): void {
    this.trace(`killed: ${why}`)
    this.#over(undefined)
  }

  stop(milliseconds: number): void {
    this.trace(`stopped for ${milliseconds} ms`)
    this.#stoppedUntil = this.machine.scheduler.now + milliseconds
  }

  /** One that it does not listen to ends it. */
  signal(name: string): void {
    this.trace(name)
    this.plan(0, () => {
      this.signalledAt = Math.min(this.signalledAt, this.machine.scheduler.now)
      if (!this.process.emit(name)) this.die(name)
    })
  }

  /** Counts an effect. Throws when the life is over, ends here, or the effect fails. */
  effect(name: string, path = ''): void {
    if (this.isOver) throw new Death('the life is over')
    this.effects++
    this.machine.scheduler.now += effectMilliseconds
    const fault = this.options.fault({number: this.effects, name, path})
    if (fault === undefined) return
    if (fault !== 'die') {
      this.trace(`${fault.code}: ${name} ${this.machine.disk.visible(path)}`)
      throw fault
    }
    this.die(`before ${name} ${this.machine.disk.visible(path)}`)
    throw new Death('killed')
  }

  async #run(): Promise<void> {
    try {
      const code = await this.#body.start(this.options.args, (code) => this.leave(code))
      if (!this.isOver) this.world.workshop.bodies.push(this.#body)
      this.#over(code)
    } catch (error) {
      if (error instanceof Death) return
      this.#printed[2] += String(error instanceof Error ? error.stack : error)
      this.#over(1)
    }
  }

  leave(code: number): never {
    this.#over(code)
    throw new Death('left')
  }

  #over(exitCode: number | undefined): void {
    if (this.isOver) return
    if (exitCode !== undefined) this.process.emit('exit', exitCode)
    this.isOver = true
    this.#body.leave()
    this.machine.end(this)
    if (exitCode !== undefined) this.trace(`exit ${exitCode}`)
    this.#ending.resolve({exitCode, stdout: this.#printed[1], stderr: this.#printed[2]})
  }

  print(descriptor: 1 | 2, text: string): void {
    this.effect(descriptor === 1 ? 'stdout' : 'stderr')
    if (this.options.print) this.options.print(descriptor, text)
    else this.#printed[descriptor] += text
  }
}

export function count(counts: Record<string, number>, kind: string): number {
  counts[kind] = (counts[kind] ?? 0) + 1
  return counts[kind]
}

const effectMilliseconds = 0.02
