import {copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Random} from '../../src/sandbox/seed/random.js'
import {type Body, type Compiled, compile} from './body.js'
import type {Bundle} from './bundle.js'
import type {Started, Tool} from './children.js'
import {type Choices, createChoices} from './choices.js'
import type {Case} from './history.js'
import {count, type Ending, Life} from './life.js'
import {Machine} from './machine.js'
import {createSurroundings} from './modules.js'
import {createPublishedService, type PublishedModule, type PublishedService} from './published.js'
import {Scheduler} from './scheduler.js'
import {createSandboxService, type SandboxModule, type SandboxService, type Service} from './service.js'
import {createStore} from './store.js'
import {createNetwork} from './wire.js'

/** What the histories of one worker share: programs and services in memory, and records that are copied for each world. */
export type Workshop = {
  program: Compiled
  bodies: Body[]
  sandbox: SandboxModule
  published: PublishedModule
  /** Time and chances of the world that is played. */
  stage: {scheduler: Scheduler; random: Random}
  folder: string
  template: string
}

/** A case, and which service answers: the sandbox, or one that shares no line with the program. */
export type WorldOptions = Omit<Case, 'act'> & {
  by: 'sandbox' | 'published'
  onTrace: ((text: string) => void) | undefined
}

export type LifeFaults = {
  /** The number of the effect before which the life is killed, of all or of those of this name. */
  killAt?: number
  killBefore?: string
  /** Signals by the milliseconds after which they come. */
  signals?: readonly (readonly [milliseconds: number, name: string])[]
  /** The error of a disk, for effects of these numbers; one that is full has space again once its reserve is freed. */
  disk?: {code: 'ENOSPC' | 'EIO'; from: number; to: number}
}

/** Time, chances and faults of a world. */
export type Stage = {
  scheduler: Scheduler
  choices: Choices
  now: () => number
  /** The share of requests that go wrong; 0 once faults are switched off. */
  rules: {trouble: number}
  trace: (text: string) => void
  /** Called with each fault by its id; false leaves it out. */
  meet: (id: string, kind: string) => boolean
}

export type World = ReturnType<typeof openWorld>

const begins = Date.UTC(2024, 6, 30, 18)
const worldSeed = 7
const firstHost = 'till'

/** Of a life that is not started as usual. */
type Given = Partial<Started> & {on?: Machine}

/** Loads the texts of a bundle, and seeds the service that all worlds begin with. */
export function openWorkshop(bundle: Bundle, folder: string): Workshop {
  mkdirSync(folder, {recursive: true})
  const template = join(folder, 'service.db')
  const stage = enterStage({}, new Scheduler(), createChoices(worldSeed))
  const surroundings = createSurroundings({
    now: () => begins + stage.scheduler.now,
    random: () => stage.random(),
    plan: (milliseconds, work) => stage.scheduler.after(milliseconds, work),
    modules: {},
  })
  const workshop: Workshop = {
    program: compile(bundle.program, 'program.cjs'),
    bodies: [],
    sandbox: compile(bundle.sandbox, 'sandbox.cjs')(surroundings) as SandboxModule,
    published: compile(bundle.published, 'published.cjs')(surroundings) as PublishedModule,
    ...{stage, folder, template},
  }
  rmSync(template, {force: true})
  openSandbox(workshop, template).close()
  return workshop
}

const enterStage = (stage: object, scheduler: Scheduler, choices: Choices) =>
  Object.assign(stage, {scheduler, random: choices.of('service')})

function openSandbox({sandbox, stage: {scheduler}}: Workshop, database: string) {
  const sleep = (milliseconds: number) => scheduler.wait(milliseconds)
  const clock = {now: () => begins + scheduler.now, monotonic: () => scheduler.now, sleep}
  return createSandboxService(sandbox, {clock, database, seed: worldSeed, batches: 40, machines: 40})
}

/** One service, the machines that speak to it, and everything that goes wrong, by one seed. */
export function openWorld(workshop: Workshop, {seed, by, only, fixed, onTrace}: WorldOptions) {
  const folder = join(workshop.folder, `world-${seed}`)
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  const scheduler = new Scheduler()
  const choices = createChoices(seed, fixed)
  const database = join(folder, 'service.db')
  if (by === 'sandbox') copyFileSync(workshop.template, database)
  enterStage(workshop.stage, scheduler, choices)
  const now = () => begins + scheduler.now
  const service: Service =
    by === 'sandbox' ? openSandbox(workshop, database) : createPublishedService(workshop.published, choices, now)
  const faults: Record<string, number> = {}
  const ids = new Set<string>()
  const livesOf: Record<string, number> = {}
  const tokens = {given: 0, refused: 0, hosts: new Set<string>()}
  const stage: Stage = {
    ...{scheduler, choices, now, rules: {trouble: 0}},
    trace: (text: string) => onTrace?.(`${scheduler.now.toFixed(3)} ${text}`),
    meet(id: string, kind: string) {
      if (only && !only.includes(id)) return false
      ids.add(id)
      return count(faults, kind) > 0
    },
  }
  const {trace} = stage
  const network = createNetwork(stage, service, (path, status, hasOvertaken) => {
    if (hasOvertaken) count(faults, 'answers out of order')
    if (status === 401) tokens.refused++
    if (status === 200 && path.endsWith('/authenticate')) tokens.given++
  })
  const store = createStore(stage)
  const machine = new Machine({scheduler, folder: join(folder, 'machine'), host: firstHost, begins})
  const world = {
    ...{...stage, service, machine, faults, faultIds: ids, tokens},
    /** The service, in the acts that it answers. */
    ...{sandbox: service as SandboxService, published: service as PublishedService},
    lives: 0,
    kills: 0,
    /** Names what comes now: chances and faults of a life depend on it, and not on how many lives there were before. */
    enter(stage: string) {
      world.stage = stage
    },
    stage: 'start',
    /** Settings of all machines, beside the login. */
    shared: {} as Record<string, string>,
    /** Programs of the system by name, and what goes wrong with lives that lives start. */
    tools: {} as Record<string, Tool>,
    childFaults: (_name: string): LifeFaults => ({}),
    /** Starts the program, on the first machine unless told. */
    start(args: readonly string[], lifeFaults: LifeFaults = {}, given: Given = {}): Life {
      const {killAt, killBefore, signals = [], disk} = lifeFaults
      const {on = machine, environment = {...environmentOf(on, service.login), ...world.shared}, print} = given
      tokens.hosts.add(on.host)
      world.lives++
      const name = `${world.stage}/${count(livesOf, world.stage)}`
      let isFreed = false
      let aimed = 0
      const life = new Life({
        ...{program: workshop.program, bodies: workshop.bodies},
        ...{name, args, machine: on, network, store, random: choices.of(`life ${name}`), environment, print, trace},
        ...{tools: world.tools, toolRandom: choices.of(`tools ${name}`)},
        startLife: (words, started) => world.start(words, world.childFaults(`${name}/${words[0]}`), {on, ...started}),
        fault({number: effect, name, path}) {
          if (killBefore !== undefined && name.startsWith(killBefore)) aimed++
          if ((killBefore === undefined ? effect : aimed) === killAt) return 'die'
          if (name === 'remove' && path.endsWith('/reserve')) isFreed = true
          if (!disk || effect < disk.from || effect > disk.to || !/^(write|sql|folder)/.test(name)) return undefined
          return disk.code === 'ENOSPC' && isFreed ? undefined : toError(disk.code, name, path)
        },
      })
      trace(`${life.pid} vendorctl ${args.join(' ')}`)
      for (const [milliseconds, name] of signals) life.plan(milliseconds, () => life.signal(name))
      return life
    },
    /** Runs the program until it has ended or died. */
    run: (args: readonly string[], lifeFaults?: LifeFaults, given?: Given) =>
      world.end(world.start(args, lifeFaults, given)),
    async end(life: Life): Promise<Ending> {
      const ending = await scheduler.runUntil(life.ended)
      if (ending.exitCode === undefined) world.kills++
      trace(`stderr: ${ending.stderr.trim()}`)
      return ending
    },
    /** Another machine, with clocks and a state of its own, that uses the folders of the first. */
    join(host: string): Machine {
      const other = new Machine({...{scheduler, host, begins, disk: machine.disk}, folder: join(folder, host)})
      world.machines.push(other)
      return other
    },
    machines: [machine],
    /** Puts a file of another program there, in place of one that has this name. */
    write(name: string, text: string | Uint8Array, mode = 0o644) {
      rmSync(machine.path(name), {force: true})
      writeFileSync(machine.path(name), text, {mode})
    },
    has: (name: string) => existsSync(machine.path(name)),
    /** Lets time pass, with everything that is under way. */
    pass: (milliseconds: number) => scheduler.runUntil(scheduler.wait(milliseconds)),
    close(isKept = false) {
      service.close()
      if (!isKept) rmSync(folder, {recursive: true, force: true})
    },
  }
  return world
}

/** As Node reports it, or SQLite: a full disk, or one that fails. */
function toError(code: 'ENOSPC' | 'EIO', name: string, path: string): NodeJS.ErrnoException {
  const isFull = code === 'ENOSPC'
  const [errcode, errstr] = isFull ? [13, 'database or disk is full'] : [10, 'disk I/O error']
  if (name.startsWith('sql')) return Object.assign(new Error(errstr), {code: 'ERR_SQLITE_ERROR', errcode, errstr})
  return Object.assign(new Error(`${code}: ${name}`), {code, path, errno: isFull ? -28 : -5, syscall: 'write'})
}

const environmentOf = ({home, host}: Machine, {apiKey, username, password}: Service['login']) => ({
  ...{HOME: home, PATH: '/bin', XDG_CONFIG_HOME: `${home}/config`},
  XDG_STATE_HOME: `${home}/${host === firstHost ? 'state' : `state-${host}`}`,
  ...{VENDORCTL_BASE_URL: 'https://service.example', VENDORCTL_API_KEY: apiKey},
  ...{VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password},
})
