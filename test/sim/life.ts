import {EventEmitter} from 'node:events'
import {Readable, Writable} from 'node:stream'
import {compileFunction} from 'node:vm'
import type {Random} from '../../src/sandbox/seed/random.js'
import {createSpawn, type Starting} from './children.js'
import {createFiles, type Hooks} from './files.js'
import type {Machine} from './machine.js'
import {createOs, createPath, createSqlite, createZlib} from './modules.js'
import type {Planned} from './scheduler.js'
import {createSurroundings} from './surroundings.js'

/** What a life asks the network for, as the program's own transport takes it. */
export type Network = (
  life: Life,
  toFailure: (error: unknown, trace: {left: boolean; status?: number}) => Error,
) => object

export type Ending = {
  /** Undefined of a life that was killed. */
  exitCode: number | undefined
  stdout: string
  stderr: string
}

export type LifeOptions = {
  /** Tells this life from others, whatever came before it. */
  name: string
  args: readonly string[]
  environment: Record<string, string>
  machine: Machine
  network: Network
  random: Random
  /** Called before each effect; returns what happens instead of it. */
  fault: (effect: {number: number; name: string; path: string}) => 'die' | NodeJS.ErrnoException | undefined
  trace: (text: string) => void
  /** What it may start. */
  starting: Starting
  /** Where what it prints goes instead of being kept. */
  print?: ((descriptor: 1 | 2, text: string) => void) | undefined
}

/** Thrown into the code of a life that has died; nothing that it does from then on has an effect. */
class Death extends Error {}

/** Ends a life from within, as `process.exit` does. */
class Exit extends Death {}

const isDeath = (error: unknown) => error instanceof Death

const shadowed = [
  ...['require', 'module', 'exports', 'process', 'global', 'globalThis', 'Date', 'Math', 'crypto', 'performance'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Atomics'],
  ...['simulatedTransport', 'console', 'Intl'],
] as const

type Module = {exports: Record<string, unknown>}
export type Compiled = (world: Partial<Record<(typeof shadowed)[number], unknown>>) => Record<string, unknown>

/** A CommonJS text as a function that is called anew for each life, so that its modules are the life's own. */
export function compile(text: string, filename: string): Compiled {
  const call = compileFunction(text, [...shadowed], {filename}) as (...given: unknown[]) => void
  return (world) => {
    const module: Module = {exports: {}}
    const given = {...world, module, exports: module.exports}
    call(...shadowed.map((name) => given[name as keyof typeof given] ?? globalThis[name as 'console']))
    return module.exports
  }
}

let running: Life | undefined

/** Hands what nobody caught to the life that ran, as Node would. Returns whether it was only the end of one. */
export function reportUncaught(error: unknown): boolean {
  if (isDeath(error)) return true
  running?.trace(`uncaught: ${error instanceof Error ? error.stack : String(error)}`)
  return running?.tell('unhandledRejection', error) ?? false
}

/** One run of the program, from its arguments to its exit code or its death. */
export class Life {
  readonly pid: number
  readonly name: string
  readonly machine: Machine
  readonly ended: Promise<Ending>
  readonly process: EventEmitter
  isOver = false
  effects = 0
  /** Requests of this life so far. */
  readonly #requests = new Map<string, number>()
  readonly #options: LifeOptions
  readonly #printed: Record<1 | 2, string> = {1: '', 2: ''}
  readonly #end: (ending: Ending) => void
  readonly #release: () => void

  constructor(program: Compiled, options: LifeOptions) {
    this.#options = options
    this.machine = options.machine
    this.name = options.name
    this.pid = this.machine.begin(this)
    const {promise, resolve} = Promise.withResolvers<Ending>()
    this.ended = promise
    this.#end = resolve
    const hooks = this.#hooks()
    const files = createFiles(hooks)
    const {sqlite, closeAll} = createSqlite(hooks)
    this.#release = () => {
      closeAll()
      files.closeAll()
      Object.assign(hooks, ofDead)
    }
    this.process = this.#createProcess()
    const {host, home} = this.machine
    const own = {
      ...{fs: files.fs, 'fs/promises': files.promises, sqlite, zlib: createZlib()},
      ...{os: createOs(host, home), path: createPath(home), process: this.process},
      child_process: refusing('child_process', {spawn: createSpawn(this, options.starting)}),
      worker_threads: {isMainThread: true, threadId: 0},
      tty: {isatty: () => false},
    }
    const surroundings = createSurroundings({
      now: () => this.machine.wallClock(),
      random: options.random,
      plan: (milliseconds, work) => this.plan(milliseconds, work),
      modules: own,
    })
    Object.assign(this.process, {getBuiltinModule: surroundings.require})
    const {globalThis: surface} = surroundings
    Object.defineProperty(surface, 'process', {value: this.process, writable: true})
    const world = {
      ...surroundings,
      ...{process: this.process, global: surface, Atomics: this.#atomics()},
      simulatedTransport: (toFailure: Parameters<Network>[1]) => options.network(this, toFailure),
    }
    this.plan(0, () => void this.#run(program, world))
  }

  /** Runs work later in this life, unless that has ended. */
  plan(milliseconds: number, work: () => void): Planned {
    return this.machine.scheduler.after(milliseconds, () => {
      if (this.isOver) return
      running = this
      try {
        work()
      } catch (error) {
        if (!isDeath(error)) this.tell('uncaughtException', error)
      }
    })
  }

  /** The same for the same request, whatever went wrong with others. */
  nameRequest(what: string): string {
    const number = (this.#requests.get(what) ?? 0) + 1
    this.#requests.set(what, number)
    return `${this.name} ${what} ${number}`
  }

  trace(text: string): void {
    this.#options.trace(`${this.pid} ${text}`)
  }

  /** What nobody caught; who listens may end the life. Returns whether anybody does. */
  tell(event: string, error: unknown): boolean {
    try {
      return this.process.emit(event, error)
    } catch (thrown) {
      if (isDeath(thrown)) return true
      throw thrown
    }
  }

  /** The process is gone: nothing of it goes on. */
  die(why: string): void {
    if (this.isOver) return
    this.trace(`killed: ${why}`)
    this.#over(undefined)
  }

  /** One that it does not listen to ends it. */
  signal(name: string): void {
    if (this.isOver) return
    this.trace(name)
    this.plan(0, () => this.process.emit(name) || this.die(name))
  }

  /** Counts an effect. Throws when the life is over, ends here, or the effect fails. */
  effect(name: string, path = ''): void {
    if (this.isOver) throw new Death('the life is over')
    this.effects++
    this.machine.scheduler.now += effectMilliseconds
    const fault = this.#options.fault({number: this.effects, name, path})
    if (fault === undefined) return
    if (fault !== 'die') {
      this.trace(`${fault.code}: ${name} ${this.machine.disk.visible(path)}`)
      throw fault
    }
    this.die(`before ${name} ${this.machine.disk.visible(path)}`)
    throw new Death('killed')
  }

  async #run(program: Compiled, world: Parameters<Compiled>[0]): Promise<void> {
    try {
      const {default: start} = program(world) as {default: (...given: unknown[]) => Promise<number>}
      this.#over(await start([...this.#options.args], '/program', (code: number) => this.#leave(code)))
    } catch (error) {
      if (isDeath(error)) return
      this.#printed[2] += String(error instanceof Error ? error.stack : error)
      this.#over(1)
    }
  }

  #leave(code: number): never {
    this.#over(code)
    throw new Exit('left')
  }

  #over(exitCode: number | undefined): void {
    if (this.isOver) return
    if (exitCode !== undefined) this.process.emit('exit', exitCode)
    this.isOver = true
    this.#release()
    this.machine.end(this)
    if (exitCode !== undefined) this.trace(`exit ${exitCode}`)
    this.#end({exitCode, stdout: this.#printed[1], stderr: this.#printed[2]})
  }

  #hooks(): Hooks {
    const {machine} = this
    return {
      disk: machine.disk,
      effect: (name, path) => this.effect(name, path),
      live: () => {
        if (this.isOver) throw new Death('the life is over')
      },
      moment: () => new Promise((resolve) => this.plan(this.#options.random() * mostDiskMilliseconds, resolve)),
      system: (path) => (path === '/proc/sys/kernel/random/boot_id' ? machine.boot : undefined),
      print: (descriptor, bytes) => this.print(descriptor, Buffer.from(bytes).toString()),
      now: () => machine.wallClock(),
    }
  }

  print(descriptor: 1 | 2, text: string): void {
    this.effect(descriptor === 1 ? 'stdout' : 'stderr')
    if (this.#options.print) this.#options.print(descriptor, text)
    else this.#printed[descriptor] += text
  }

  #createProcess(): EventEmitter {
    const {machine} = this
    const {args, environment} = this.#options
    const nanoseconds = () => Math.floor(machine.monotonic() * 1e6)
    const output = (descriptor: 1 | 2) =>
      new Writable({
        decodeStrings: false,
        write: (chunk: string | Uint8Array, _encoding, done) => {
          try {
            this.print(descriptor, chunk.toString())
          } catch (error) {
            if (!isDeath(error)) done(error as Error)
            return
          }
          this.plan(0, done)
        },
      })
    return Object.assign(new EventEmitter().setMaxListeners(0), {
      ...{pid: this.pid, ppid: 1, platform: 'linux', arch: 'x64', version: process.version, versions: process.versions},
      ...{argv: ['/node', '/program/bin/run.js', ...args], execPath: '/node', execArgv: [], env: {...environment}},
      ...{stdout: output(1), stderr: output(2), stdin: Object.assign(Readable.from([]), {fd: 0})},
      ...{release: {name: 'node'}, exitCode: undefined, config: {variables: {}}, features: {}, title: 'node'},
      emitWarning: () => undefined,
      cwd: () => machine.home,
      umask: () => 0o22,
      uptime: () => (machine.scheduler.now - machine.bootedAt) / 1e3,
      getuid: () => process.getuid?.(),
      getgid: () => process.getgid?.(),
      nextTick: process.nextTick,
      hrtime: Object.assign((): [number, number] => [0, nanoseconds()], {bigint: () => BigInt(nanoseconds())}),
      exit: (code: number) => this.#leave(code),
      kill: (pid: number, signal: string) => {
        if (machine.isAlive(pid)) return true
        const tool = machine.tools.get(-pid)
        if (tool) return tool(signal)
        throw Object.assign(new Error('kill ESRCH'), {code: 'ESRCH'})
      },
    })
  }

  #atomics(): typeof Atomics {
    const wait = (_array: unknown, _at: number, _value: number, milliseconds: number) => {
      this.machine.scheduler.now += milliseconds
      return 'timed-out'
    }
    return Object.assign(Object.create(Atomics) as typeof Atomics, {wait})
  }
}

const refuseDead = (): never => {
  throw new Death('the life is over')
}
const ofDead: Omit<Hooks, 'disk'> = {
  ...{effect: refuseDead, live: refuseDead, system: refuseDead, print: refuseDead, now: refuseDead},
  moment: () => new Promise(() => undefined),
}

const effectMilliseconds = 0.02
const mostDiskMilliseconds = 0.3

function refusing(name: string, own: Record<string | symbol, unknown>): object {
  const refuse = (call: string | symbol) => () => {
    throw new Error(`the simulation has no ${name}.${String(call)}`)
  }
  return new Proxy(own, {get: (_, call) => own[call] ?? refuse(call)})
}
