import {copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Body, type Compiled, compile} from './body.js'
import type {Bundle} from './bundle.js'
import type {Started, Tool} from './children.js'
import {type Choices, createChoices, type Fixed} from './choices.js'
import {type Ending, Life} from './life.js'
import {Machine} from './machine.js'
import {createPublishedService, type PublishedService} from './published.js'
import {Scheduler} from './scheduler.js'
import {createCore, createSandboxService, type SandboxModule, type Service} from './service.js'
import {createSurroundings} from './surroundings.js'
import {createNetwork} from './wire.js'

/** What the histories of one worker share: compiled texts, and a service that is copied for each world. */
export type Workshop = {
  program: Compiled
  bodies: Body[]
  sandbox: Compiled
  published: Compiled
  folder: string
  template: string
}

export type WorldOptions = {
  seed: number
  /** Which service answers: the sandbox, or one that shares no line with the program. */
  by?: 'sandbox' | 'published'
  /** The only faults, by id, that are met. */
  only?: ReadonlySet<string>
  fixed?: Fixed
  onTrace?: (text: string) => void
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

export type World = ReturnType<typeof openWorld>

const begins = Date.UTC(2024, 6, 30, 18)
const worldSeed = 7
const firstHost = 'till'

/** Of a life that is not started as usual. */
type Given = Partial<Started> & {on?: Machine}

/** Compiles the texts of a bundle, and seeds the service that all worlds begin with. */
export function openWorkshop(bundle: Bundle, folder: string): Workshop {
  mkdirSync(folder, {recursive: true})
  const template = join(folder, 'service.db')
  const workshop = {
    program: compile(bundle.program, 'program.cjs'),
    bodies: [],
    sandbox: compile(bundle.sandbox, 'sandbox.cjs'),
    published: compile(bundle.published, 'published.cjs'),
    ...{folder, template},
  }
  rmSync(template, {force: true})
  openSandbox(workshop, new Scheduler(), createChoices(worldSeed), template).close()
  return workshop
}

const serviceTime = (scheduler: Scheduler) => () => begins + scheduler.now

function load<Module>(compiled: Compiled, scheduler: Scheduler, choices: Choices): Module {
  const plan = (milliseconds: number, work: () => void) => scheduler.after(milliseconds, work)
  const world = {now: serviceTime(scheduler), random: choices.of('service'), plan, modules: {}}
  return compiled(createSurroundings(world)) as Module
}

function openSandbox({sandbox}: Workshop, scheduler: Scheduler, choices: Choices, database: string) {
  const module = load<SandboxModule>(sandbox, scheduler, choices)
  const sleep = (milliseconds: number) => scheduler.wait(milliseconds)
  const clock = {now: serviceTime(scheduler), monotonic: () => scheduler.now, sleep}
  return createSandboxService(module, createCore(module, {clock, database, seed: worldSeed, batches: 40, machines: 40}))
}

function openPublished({published}: Workshop, scheduler: Scheduler, choices: Choices) {
  return createPublishedService(load(published, scheduler, choices), choices, serviceTime(scheduler))
}

/** One service, the machines that speak to it, and everything that goes wrong, by one seed. */
export function openWorld(workshop: Workshop, {seed, by = 'sandbox', only, fixed, onTrace}: WorldOptions) {
  const folder = join(workshop.folder, `world-${seed}`)
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  const scheduler = new Scheduler()
  const choices = createChoices(seed, fixed)
  const database = join(folder, 'service.db')
  if (by === 'sandbox') copyFileSync(workshop.template, database)
  const sandbox = by === 'sandbox' ? openSandbox(workshop, scheduler, choices, database) : undefined
  const published = sandbox ? undefined : openPublished(workshop, scheduler, choices)
  const service: Service = sandbox ?? (published as PublishedService)
  const faults: Record<string, number> = {}
  const ids = new Set<string>()
  const rules = {trouble: 0}
  const livesOf = new Map<string, number>()
  const tokens = {given: 0, refused: 0, hosts: new Set<string>()}
  const trace = (text: string) => onTrace?.(`${scheduler.now.toFixed(3)} ${text}`)
  const meet = (id: string, kind: string) => {
    if (only && !only.has(id)) return false
    ids.add(id)
    faults[kind] = (faults[kind] ?? 0) + 1
    return true
  }
  const network = createNetwork({
    ...{scheduler, service, choices, trace},
    trouble: () => rules.trouble,
    onFault: meet,
    onAnswer(path, status, hasOvertaken) {
      if (hasOvertaken) faults['answers out of order'] = (faults['answers out of order'] ?? 0) + 1
      if (status === 401) tokens.refused++
      if (status === 200 && path.endsWith('/authenticate')) tokens.given++
    },
  })
  const machine = new Machine({scheduler, folder: join(folder, 'machine'), host: firstHost, begins})
  const world = {
    ...{scheduler, choices, service, sandbox, published, machine},
    ...{faults, faultIds: ids, rules, tokens, trace, meet},
    lives: 0,
    kills: 0,
    /** Names what comes now: chances and faults of a life depend on it, and not on how many lives there were before. */
    enter(stage: string) {
      world.stage = stage
    },
    stage: 'start',
    /** Programs of the system by name, and what goes wrong with lives that lives start. */
    tools: {} as Record<string, Tool>,
    childFaults: (_name: string): LifeFaults => ({}),
    /** Starts the program, on the first machine unless told. */
    start(args: readonly string[], lifeFaults: LifeFaults = {}, given: Given = {}): Life {
      const {killAt, killBefore, signals = [], disk} = lifeFaults
      const {on = machine, environment = environmentOf(on, service.login), print} = given
      tokens.hosts.add(on.host)
      world.lives++
      const number = (livesOf.get(world.stage) ?? 0) + 1
      livesOf.set(world.stage, number)
      const name = `${world.stage}/${number}`
      let isFreed = false
      let aimed = 0
      const life = new Life({
        ...{program: workshop.program, bodies: workshop.bodies},
        ...{name, args, machine: on, network, random: choices.of(`life ${name}`), environment, print, trace},
        starting: {
          ...{random: choices.of(`tools ${name}`), tools: world.tools},
          startLife: (words, started) => world.start(words, world.childFaults(`${name}/${words[0]}`), {on, ...started}),
        },
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
    write: (name: string, text: string | Uint8Array, mode = 0o644) => writeFileSync(machine.path(name), text, {mode}),
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

const environmentOf = ({home, host}: Machine, login: Service['login']): Record<string, string> => ({
  ...{HOME: home, PATH: '/bin'},
  XDG_STATE_HOME: `${home}/${host === firstHost ? 'state' : `state-${host}`}`,
  XDG_CONFIG_HOME: `${home}/config`,
  VENDORCTL_BASE_URL: 'https://service.example',
  VENDORCTL_API_KEY: login.apiKey,
  VENDORCTL_USERNAME: login.username,
  VENDORCTL_PASSWORD: login.password,
})
