import {EventEmitter} from 'node:events'
import {PassThrough} from 'node:stream'
import {Death, type Life} from './life.js'

/** A program of the system, such as one that delivers: all of its work is done at one moment. Returns its exit code. */
export type Tool = (args: readonly string[], input: string) => number
type Given = {env: Record<string, string | undefined>; stdio: string | readonly unknown[]}
type Child = EventEmitter & {pid?: number; connected: boolean}
const longestTool = 3_000

/** `spawn` of a life: its own program as a life, which outlives it, or a tool, which does its work even then. */
export function spawn(parent: Life, file: string, args: readonly string[], {env, stdio}: Given): object {
  const {machine, world} = parent
  parent.effect('spawn', file)
  const child: Child = Object.assign(new EventEmitter(), {connected: false, unref: () => undefined})
  const end = (code: number | null, signal: string | null) =>
    parent.plan(0, () => {
      child.emit('exit', code, signal)
      child.connected = false
      if (stdio.includes('ipc')) child.emit('disconnect')
      child.emit('close', code, signal)
    })
  if (file !== '/node') return startTool()

  const environment = JSON.parse(JSON.stringify(env)) as Record<string, string> // without what is undefined
  const print = (descriptor: 1 | 2, text: string) => {
    try {
      if (!parent.isOver) parent.print(stdio[1] === 2 ? 2 : descriptor, text)
    } catch (error) {
      if (!(error instanceof Death)) throw error // of the parent, which its child outlives
    }
  }
  const faults = world.childFaults(`${parent.options.name}/${args[1]}`)
  const life = world.start(args.slice(1), faults, {on: machine, environment, print})
  if (stdio.includes('ipc')) connect(parent, life, child)
  void life.ended.then(({exitCode}) => parent.childExits.push(exitCode))
  void life.ended.then(({exitCode}) => end(exitCode ?? null, exitCode === undefined ? 'SIGKILL' : null))
  return Object.assign(child, {pid: life.pid, kill: (name: string) => life.signal(name)})

  function startTool() {
    const input: unknown[] = []
    const stdin = new PassThrough().on('data', (chunk) => input.push(chunk))
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    Object.assign(child, {stdin, stdout, stderr, stdio: [stdin, stdout, stderr]})
    const over = (code: number | null, signal: string | null) => {
      machine.tools.delete(child.pid ?? 0)
      for (const stream of [stdout, stderr]) stream.end()
      end(code, signal)
    }
    child.pid = machine.nextPid++
    const planned = machine.scheduler.after(parent.toolRandom() * longestTool, () => {
      const code = world.tools[file]?.(args, input.join('')) ?? 127
      parent.trace(`${file} ${args.join(' ')}: exit ${code}`)
      over(code, null)
    })
    machine.tools.set(child.pid, (signal) => {
      planned.cancel()
      over(null, signal)
    })
    return child
  }
}

function connect(parent: Life, life: Life, child: Child): void {
  const sending = (to: Life, ends: EventEmitter) => (message: unknown, done?: () => void) => {
    const copy = JSON.parse(JSON.stringify(message)) as unknown
    to.plan(0, () => ends.emit('message', copy))
    done?.()
    return true
  }
  const own = life.process
  Object.assign(child, {connected: true, send: sending(life, own)})
  Object.assign(own, {connected: true, channel: {unref: () => undefined}, send: sending(parent, child)})
  const disconnect = () => {
    Object.assign(own, {connected: false, channel: undefined})
    own.emit('disconnect')
  }
  void parent.ended.then(() => life.plan(0, disconnect))
}
