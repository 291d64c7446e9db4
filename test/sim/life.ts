import type {EventEmitter} from 'node:events'
import {createBody} from './body.js'
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

const effectMilliseconds = 0.02
let running: Life | undefined

/** Hands what nobody caught to the life that ran, as Node would. Returns whether it was only the end of one. */
export function reportUncaught(error: unknown): boolean {
  if (error instanceof Death) return true
  running?.trace(`uncaught: ${error instanceof Error ? error.stack : String(error)}`)
  return running?.tell('unhandledRejection', error) ?? false
}

export interface Life extends ReturnType<typeof createLife> {}

/** One run of the program, from its arguments to its exit code or its death. */
export function createLife(options: LifeOptions) {
  const {world, name, machine} = options
  const {scheduler} = machine
  const body = world.workshop.bodies.pop() ?? createBody(world.workshop.program)
  /** Nothing of it goes on before, as after SIGSTOP. */
  let stoppedUntil = 0
  let effects = 0
  const requests: Record<string, number> = {}
  const printed: Record<1 | 2, string> = {1: '', 2: ''}
  const {promise: ended, resolve} = Promise.withResolvers<Ending>()

  const life = {
    ...{options, world, machine, ended, pid: machine.nextPid++, process: body.process as EventEmitter, isOver: false},
    ...{random: world.choices.of(`life ${name}`), toolRandom: world.choices.of(`tools ${name}`)},
    /** When it was told to end; whether it was refused for its token last; how those it started have ended. */
    ...{signalledAt: Number.POSITIVE_INFINITY, isDenied: false, childExits: [] as (number | undefined)[]},
    /** Runs work later in this life, once it is not stopped, unless it has ended. */
    plan(milliseconds: number, work: () => void): Planned {
      const doIt = () => {
        const left = stoppedUntil - scheduler.now
        if (!life.isOver && left > 0) planned = scheduler.after(left, doIt)
        if (life.isOver || left > 0) return
        running = life
        try {
          work()
        } catch (error) {
          if (!(error instanceof Death)) life.tell('uncaughtException', error)
        }
      }
      let planned = scheduler.after(milliseconds, doIt)
      return {cancel: () => planned.cancel()}
    },
    /** The same for the same request, whatever went wrong with others. */
    nameRequest: (what: string) => `${name} ${what} ${count(requests, what)}`,
    trace: (text: string): void => world.trace(`${life.pid} ${text}`),
    /** What nobody caught; who listens may end the life. Returns whether anybody does. */
    tell(event: string, error: unknown): boolean {
      try {
        return body.process.emit(event, error)
      } catch (thrown) {
        if (thrown instanceof Death) return true
        throw thrown
      }
    },
    die(why: string): void {
      life.trace(`killed: ${why}`)
      end(undefined)
    },
    stop(milliseconds: number): void {
      life.trace(`stopped for ${milliseconds} ms`)
      stoppedUntil = scheduler.now + milliseconds
    },
    /** One that it does not listen to ends it. */
    signal(name: string): void {
      life.trace(name)
      life.plan(0, () => {
        life.signalledAt = Math.min(life.signalledAt, scheduler.now)
        if (!body.process.emit(name)) life.die(name)
      })
    },
    /** Counts an effect. Throws when the life is over, ends here, or the effect fails. */
    effect(name: string, path = ''): void {
      if (life.isOver) throw new Death('the life is over')
      scheduler.now += effectMilliseconds
      const fault = options.fault({number: ++effects, name, path})
      if (fault === undefined) return
      const what = `${name} ${machine.disk.visible(path)}`
      if (fault === 'die') life.die(`before ${what}`)
      else life.trace(`${fault.code}: ${what}`)
      throw fault === 'die' ? new Death('killed') : fault
    },
    leave(code: number): never {
      end(code)
      throw new Death('left')
    },
    print(descriptor: 1 | 2, text: string): void {
      life.effect(descriptor === 1 ? 'stdout' : 'stderr')
      if (options.print) options.print(descriptor, text)
      else printed[descriptor] += text
    },
  }
  machine.lives.set(life.pid, life)
  body.enter(life)
  life.plan(0, () => void run())
  return life

  async function run(): Promise<void> {
    try {
      const code = await body.start(options.args, life.leave)
      if (!life.isOver) world.workshop.bodies.push(body)
      end(code)
    } catch (error) {
      if (error instanceof Death) return
      printed[2] += String(error instanceof Error ? error.stack : error)
      end(1)
    }
  }

  function end(exitCode: number | undefined): void {
    if (life.isOver) return
    if (exitCode !== undefined) body.process.emit('exit', exitCode)
    life.isOver = true
    body.leave()
    machine.lives.delete(life.pid)
    if (exitCode !== undefined) life.trace(`exit ${exitCode}`)
    resolve({exitCode, stdout: printed[1], stderr: printed[2]})
  }
}

export function count(counts: Record<string, number>, kind: string): number {
  counts[kind] = (counts[kind] ?? 0) + 1
  return counts[kind]
}
