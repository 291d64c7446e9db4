import {EventEmitter} from 'node:events'
import {PassThrough} from 'node:stream'
import {Death, type Life} from './life.js'

/** A program of the system, such as one that delivers: all of its work is done at one moment. Returns its exit code. */
export type Tool = (args: readonly string[], input: string) => number

export type Started = {
  environment: Record<string, string>
  /** Where what it prints goes, instead of being kept. */
  print: (descriptor: 1 | 2, text: string) => void
}

type Given = {env: Record<string, string | undefined>; stdio: string | readonly unknown[]}
type Child = EventEmitter & {pid?: number; connected: boolean}

const longestTool = 3_000

/** `spawn` of a life: its own program as a life, which outlives it, or a tool, which does its work even then. */
export const createSpawn =
  (parent: Life) =>
  (file: string, args: readonly string[], {env, stdio}: Given) => {
    const {machine, options} = parent
    parent.effect('spawn', file)
    const child: Child = Object.assign(new EventEmitter(), {connected: false, unref: () => undefined})
    const end = (code: number | null, signal: string | null) =>
      parent.plan(0, () => {
        child.emit('exit', code, signal)
        if (child.connected) {
          child.connected = false
          child.emit('disconnect')
        }
        child.emit('close', code, signal)
      })
    if (file !== '/node') return startTool()

    const environment = JSON.parse(JSON.stringify(env)) as Record<string, string> // without what is undefined
    const toError = stdio[1] === 2
    const life = options.startLife(args.slice(1), {
      environment,
      print(descriptor, text) {
        try {
          if (!parent.isOver) parent.print(toError ? 2 : descriptor, text)
        } catch (error) {
          if (!(error instanceof Death)) throw error // of the parent, which its child outlives
        }
      },
    })
    if (stdio.includes('ipc')) connect(parent, life, child)
    void life.ended.then(({exitCode}) => end(exitCode ?? null, exitCode === undefined ? 'SIGKILL' : null))
    return Object.assign(child, {pid: life.pid, kill: (name: string) => life.signal(name)})

    function startTool() {
      const tool = options.tools[file]
      const input: unknown[] = []
      const stdin = new PassThrough().on('data', (chunk) => input.push(chunk))
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      Object.assign(child, {stdin, stdout, stderr, stdio: [stdin, stdout, stderr]})
      if (!tool) {
        parent.plan(0, () => child.emit('error', Object.assign(new Error(`spawn ${file}`), {code: 'ENOENT'})))
        return child
      }
      const over = (code: number | null, signal: string | null) => {
        machine.tools.delete(child.pid ?? 0)
        for (const stream of [stdout, stderr]) stream.end()
        end(code, signal)
      }
      child.pid = machine.nextPid++
      const planned = machine.scheduler.after(options.toolRandom() * longestTool, () => {
        const code = tool(args, input.join(''))
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

/** The channel that Node opens between a process and its child. */
function connect(parent: Life, life: Life, child: Child): void {
  const send = (to: Life, ends: EventEmitter, message: unknown, done: (error?: Error) => void = () => undefined) => {
    const copy = JSON.parse(JSON.stringify(message)) as unknown
    to.plan(0, () => ends.emit('message', copy))
    done()
    return true
  }
  const own = life.process as EventEmitter & {connected?: boolean; channel?: unknown}
  const channel = {unref: () => undefined, ref: () => undefined}
  Object.assign(child, {connected: true, send: (...given: [unknown]) => send(life, own, ...given)})
  Object.assign(own, {connected: true, channel, send: (...given: [unknown]) => send(parent, child, ...given)})
  void parent.ended.then(() =>
    life.plan(0, () => {
      Object.assign(own, {connected: false, channel: undefined})
      own.emit('disconnect')
    }),
  )
}
