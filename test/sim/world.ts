import {copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Body, compile} from './body.js'
import type {Bundle} from './bundle.js'
import type {Tool} from './children.js'
import {createChoices} from './choices.js'
import {visibleRoot} from './disk.js'
import type {Case} from './history.js'
import {count, createLife, type Ending, type Fault, type Life, type LifeOptions} from './life.js'
import {createMachine, type Machine} from './machine.js'
import {createSurroundings} from './modules.js'
import {createPublishedService, type PublishedModule, type PublishedService} from './published.js'
import {Scheduler} from './scheduler.js'
import {createSandboxService, type SandboxModule, type SandboxService, type Service} from './service.js'
import {createStore} from './store.js'
import {createNetwork} from './wire.js'

/** What goes wrong with a life, and signals by the milliseconds after which they come. */
export type LifeFaults = {
  fault?: Fault
  signals?: readonly (readonly [milliseconds: number, name: string])[]
  stop?: readonly [at: number, milliseconds: number]
}

export type Stage = ReturnType<typeof createStage>
export type World = ReturnType<typeof openWorld>
export type Workshop = ReturnType<typeof openWorkshop>

const begins = Date.UTC(2024, 6, 30, 18)
const worldSeed = 7
const firstHost = 'till'
const template = 'service.db'
type Given = Partial<Pick<LifeOptions, 'environment' | 'print'>> & {on?: Machine | undefined}

/** What the histories of one worker share: programs and services in memory, and records that are copied for each world. */
export function openWorkshop(bundle: Bundle, folder: string) {
  const stage = createStage({seed: worldSeed}) // of the world that is played
  const surroundings = createSurroundings({
    now: () => stage.now(),
    random: () => stage.random(),
    plan: (milliseconds, work) => stage.scheduler.after(milliseconds, work),
  })
  const workshop = {
    ...{folder, stage, program: compile(bundle.program, 'program.cjs'), bodies: [] as Body[]},
    sandbox: compile(bundle.sandbox, 'sandbox.cjs')(surroundings) as SandboxModule,
    published: compile(bundle.published, 'published.cjs')(surroundings) as PublishedModule,
  }
  mkdirSync(folder)
  openSandbox(workshop, join(folder, template)).close()
  return workshop
}

export type Watched = {onTrace?: ((text: string) => void) | undefined; isKept?: boolean | undefined}

function createStage({seed, only, fixed, onTrace}: Omit<Case, 'act'> & Watched) {
  const [scheduler, choices] = [new Scheduler(), createChoices(seed, fixed)]
  const faults: Record<string, number> = {}
  const faultIds = new Set<string>()
  const meet = (id: string, kind: string) => {
    if (only && !only.includes(id)) return false
    faultIds.add(id)
    return count(faults, kind) > 0
  }
  const trace = (text: string) => onTrace?.(`${scheduler.now.toFixed(3)} ${text}`)
  const wrongs: string[] = []
  return {
    ...{scheduler, choices, faults, faultIds, trace, wrongs},
    now: () => begins + scheduler.now,
    random: choices.of('service'),
    /** The share of requests that go wrong, 0 once faults are switched off; and whether the day of the key is used up. */
    rules: {trouble: 0, isDaySpent: false},
    /** Says what is wrong with a history in a sentence; without any, all of it is true. */
    wrong(text: string) {
      wrongs.push(text)
      trace(`WRONG: ${text}`)
    },
    /** Called with each fault by its id; false leaves it out. */
    meet,
    mayMeet: (id: string, kind: string, probability: number) => choices.chance(id, probability) && meet(id, kind),
  }
}

function openSandbox({sandbox, stage: {scheduler, now}}: Pick<Workshop, 'sandbox' | 'stage'>, database: string) {
  const clock = {now, monotonic: () => scheduler.now, sleep: scheduler.wait}
  return createSandboxService(sandbox, {clock, database, seed: worldSeed, batches: 40, machines: 40})
}

/** One service, the machines that speak to it, and everything that goes wrong, by one seed. */
export function openWorld(workshop: Workshop, one: Case & Watched) {
  const folder = join(workshop.folder, `world-${one.seed}`)
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder)
  const stage = createStage(one)
  Object.assign(workshop.stage, stage)
  const {scheduler, choices, trace} = stage
  const file = join(folder, template)
  const isSandbox = one.act !== 'published'
  if (isSandbox) copyFileSync(join(workshop.folder, template), file)
  const service: Service = isSandbox ? openSandbox(workshop, file) : createPublishedService(workshop.published, choices)
  const livesOf: Record<string, number> = {}
  const network = createNetwork(stage, service)
  const machine = createMachine(stage, firstHost, join(folder, 'machine'))
  const world = {
    ...{...stage, workshop, service, machine, machines: [machine], network, store: createStore(stage)},
    /** The service, in the acts that it answers. */
    ...{sandbox: service as SandboxService, published: service as PublishedService},
    ...{lives: 0, kills: 0, hosts: new Set<string>(), stage: 'start', shared: {} as Record<string, string>},
    /** Names what comes now, with its share of trouble: chances and faults of its lives depend on the name alone. */
    enter(name: string, trouble = stage.rules.trouble) {
      world.stage = name
      stage.rules.trouble = trouble
    },
    /** Programs of the system by name, and what goes wrong with lives that lives start. */
    tools: {} as Record<string, Tool>,
    childFaults: (_name: string): LifeFaults => ({}),
    /** Starts the program, on the first machine unless told. */
    start(args: string[], {fault = () => undefined, signals = [], stop}: LifeFaults = {}, given: Given = {}): Life {
      const {on = machine, environment = {...environmentOf(on, service.login), ...world.shared}, print} = given
      world.hosts.add(on.host)
      world.lives++
      const name = `${world.stage}/${count(livesOf, world.stage)}`
      const life = createLife({world, name, args, machine: on, environment, print, fault})
      trace(`${life.pid} vendorctl ${args.join(' ')}`)
      if (stop) life.plan(stop[0], () => life.stop(stop[1]))
      for (const [milliseconds, name] of signals) life.plan(milliseconds, () => life.signal(name))
      return life
    },
    run: (args: string[], faults?: LifeFaults, given?: Given) => world.end(world.start(args, faults, given)),
    async end(life: Life): Promise<Ending> {
      const ending = await scheduler.runUntil(life.ended)
      if (ending.exitCode === undefined) world.kills++
      trace(`stderr: ${ending.stderr.trim()}`)
      if (world.holdsSecret(`${ending.stdout}${ending.stderr}`)) stage.wrong('a secret was printed')
      if (ending.exitCode === 1) stage.wrong(`exit 1 of ${life.options.args.join(' ')}: ${ending.stderr.slice(0, 600)}`)
      return ending
    },
    holdsSecret: (text: string, tokens: Iterable<string> = network.tokens.sent) =>
      [service.login.apiKey, service.login.password, ...tokens].some((one) => one !== '' && text.includes(one)),
    /** Another machine, with clocks and a state of its own, that uses the folders of the first. */
    join(host: string): Machine {
      const other = createMachine(stage, host, machine.disk)
      world.machines.push(other)
      return other
    },
    /** Puts a file of another program there, in place of one that has this name. */
    write(name: string, text: string | Uint8Array, mode = 0o644) {
      rmSync(machine.path(name), {force: true})
      writeFileSync(machine.path(name), text, {mode})
    },
    has: (name: string) => existsSync(machine.path(name)),
    pass: (milliseconds: number) => scheduler.runUntil(scheduler.wait(milliseconds)),
    close() {
      service.close()
      if (!one.isKept) rmSync(folder, {recursive: true, force: true})
    },
  }
  return world
}

const environmentOf = ({host}: Machine, {apiKey, username, password}: Service['login']) => ({
  ...{HOME: visibleRoot, PATH: '/bin', XDG_CONFIG_HOME: `${visibleRoot}/config`},
  XDG_STATE_HOME: `${visibleRoot}/${host === firstHost ? 'state' : `state-${host}`}`,
  ...{VENDORCTL_BASE_URL: 'https://service.example', VENDORCTL_API_KEY: apiKey},
  ...{VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password},
})
